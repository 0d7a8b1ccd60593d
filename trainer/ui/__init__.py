"""Hold the terminal shell: pictures as values, keys, text input, themes, and the loop that shows them.

pytermgui is imported inside functions of `paint` alone, so that importing this package costs and changes nothing.
"""
