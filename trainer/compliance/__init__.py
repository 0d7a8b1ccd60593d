"""Papers for compliance officers: checklists, comparisons, open questions, change impact; all read off the machine."""
