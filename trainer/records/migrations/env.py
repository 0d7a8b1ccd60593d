"""Run migrations over the connection that the store hands in."""

from __future__ import annotations

from alembic import context

from trainer.records.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
# The store's own transaction is open already; the migration and its version number are committed together.
with context.begin_transaction():
    context.run_migrations()
