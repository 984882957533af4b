"""Values of the room and the pure rules about them: an entry, its place, who may see and change it, how it fades."""
