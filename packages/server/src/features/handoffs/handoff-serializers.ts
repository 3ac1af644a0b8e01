// Converts rows of handoffs to objects of the API.
import type { Handoff } from '@botstead/contract'
import type { HandoffRow } from './handoffs.ts'

const iso = (at: Date | null) => at?.toISOString()

function toState(row: HandoffRow): Handoff['state'] {
  if (row.closed_at !== null) return 'closed'
  // At a help desk, a person without an account here may answer.
  const isAtDesk = row.source === 'hitl' && row.assigned_at !== null
  return row.assigned_to !== null || isAtDesk ? 'assigned' : 'waiting'
}

export function toHandoff(row: HandoffRow): Handoff {
  const optional = {
    reason: row.reason,
    summary: row.summary,
    requestedBy: row.requested_by,
    assignedTo: row.assigned_to,
    outcome: row.outcome,
    assignedAt: iso(row.assigned_at),
    answeredAt: iso(row.answered_at),
    closedAt: iso(row.closed_at),
  }
  return {
    id: row.id,
    conversationId: row.conversation_id,
    state: toState(row),
    tags: row.tags,
    botReceives: row.bot_receives as Handoff['botReceives'],
    source: row.source as Handoff['source'],
    requestedAt: row.requested_at.toISOString(),
    ...present(optional),
  }
}

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))
