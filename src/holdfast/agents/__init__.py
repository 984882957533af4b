"""What an agent does when it becomes the active one: what is loaded, said and suggested; and whose work a request is."""
