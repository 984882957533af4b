"""What ``limpet doctor`` finds and puts right, and what it and killed writers leave behind."""
