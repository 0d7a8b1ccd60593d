"""The tables of the store. Names of people stand apart from the chained records, which hold random ids."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", Text, unique=True),  # empty once the person's data were erased
    Column("role", String(10), nullable=False),
    Column("class_name", Text, nullable=False, default=""),
    Column("added", String(32), nullable=False),
    Column("erased", String(32), nullable=False, default=""),
    CheckConstraint("role in ('trainee', 'supervisor')", name="role"),
)

procedures = Table(
    "procedures",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("house", Text, nullable=False),
    Column("fingerprint", String(16), nullable=False),
    Column("files", Text, nullable=False),
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", String(16), ForeignKey("people.id"), nullable=False, index=True),
    Column("terms", Text, nullable=False),
    Column("made", String(32), nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", String(16), ForeignKey("people.id"), index=True),
    Column("assignment_id", String(16), ForeignKey("assignments.id"), index=True),
    Column("terms", String(64), nullable=False, default=""),
    Column("kind", String(10), nullable=False),
    Column("house", Text, nullable=False),
    Column("fingerprint", String(16), nullable=False),
    Column("procedure", String(64), ForeignKey("procedures.digest"), nullable=False),
    Column("version", Text, nullable=False),
    Column("header", Text, nullable=False),
    Column("drill", Text, nullable=False, default=""),
    Column("started", String(32), nullable=False, index=True),
    Column("zone", String(40), nullable=False),
    Column("first", String(64), nullable=False),
    Column("head", String(64), nullable=False),
    Column("count", Integer, nullable=False, default=0),
    CheckConstraint("kind in ('practice', 'assessed')", name="kind"),
)

entries = Table(
    "entries",
    metadata,
    Column("session_id", String(16), ForeignKey("sessions.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("text", Text, nullable=False),
    Column("time", String(32), nullable=False),
    Column("before", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    Index("ix_entries_kind", "kind"),
)
