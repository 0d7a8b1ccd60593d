"""What is printed: text, and what is made of it."""
