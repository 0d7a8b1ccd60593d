"""People, procedure data, assignments, sessions and their chained entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("class_name", sa.Text, nullable=False),
        sa.Column("added", sa.String(32), nullable=False),
        sa.Column("erased", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("name", name="uq_people_name"),
        sa.CheckConstraint("role in ('trainee', 'supervisor')", name=op.f("ck_people_role")),
    )
    op.create_table(
        "procedures",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("house", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String(16), nullable=False),
        sa.Column("files", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_procedures"),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("made", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_assignments_person_id_people"),
    )
    op.create_index("ix_assignments_person_id", "assignments", ["person_id"])
    _sessions()
    _entries()


def _entries() -> None:
    op.create_table(
        "entries",
        sa.Column("session_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("time", sa.String(32), nullable=False),
        sa.Column("before", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "number", name="pk_entries"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_entries_session_id_sessions"),
    )
    op.create_index("ix_entries_kind", "entries", ["kind"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("person_id", sa.String(16)),
        sa.Column("assignment_id", sa.String(16)),
        sa.Column("terms", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("house", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String(16), nullable=False),
        sa.Column("procedure", sa.String(64), nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("drill", sa.Text, nullable=False),
        sa.Column("started", sa.String(32), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("first", sa.String(64), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sessions_person_id_people"),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name="fk_sessions_assignment_id_assignments"),
        sa.ForeignKeyConstraint(["procedure"], ["procedures.digest"], name="fk_sessions_procedure_procedures"),
        sa.CheckConstraint("kind in ('practice', 'assessed')", name=op.f("ck_sessions_kind")),
    )
    for column in ("person_id", "assignment_id", "started"):
        op.create_index(f"ix_sessions_{column}", "sessions", [column])


def downgrade() -> None:
    """Drop the tables, and with them every record."""
    for table in ("entries", "sessions", "assignments", "procedures", "people"):
        op.drop_table(table)
