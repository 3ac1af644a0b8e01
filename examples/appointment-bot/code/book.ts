const { start, service } = workflow
await AppointmentsTable.createRecord({
  start,
  service,
  name: user.name,
  conversationId: event.conversationId,
})

const hourBefore = luxon.DateTime.fromISO(start as string).minus({ hours: 1 })
if (hourBefore > luxon.DateTime.now()) {
  await client.createEvent({
    type: 'reminderDue',
    payload: { start, service },
    conversationId: event.conversationId,
    schedule: { dateTime: hourBefore.toUTC().toISO() },
  })
}
