"""The commands of the trainer, one module each, loaded when they are called."""
