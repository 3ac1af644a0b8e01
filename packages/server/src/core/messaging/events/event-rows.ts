// Parts of statements that write events together with other rows. Each is the body of a CTE.

/** `columns` follow `bot_id`, `id`, `type` and `payload`; `rows` selects all of them. */
const insertEvents = (columns: string, rows: string) =>
  `insert into event (bot_id, id, type, payload, ${columns})
    ${rows}`

/** Deletes the events of the workflows in the CTE, so that pending ones are not delivered. */
const deleteEventsOfWorkflows = (removed: string) => `delete from event e using ${removed}
    where e.bot_id = ${removed}.bot_id and e.workflow_id = ${removed}.id`

/** Rows of events. */
export const eventStore = {
  deleteOfWorkflows: deleteEventsOfWorkflows,
  insert: insertEvents,
}
