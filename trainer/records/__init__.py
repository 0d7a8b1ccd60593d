"""Records kept: the store, its hash chains, trainees and assessments, findings, progress, evidence packs."""
