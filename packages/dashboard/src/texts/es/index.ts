// Terms: flow = flujo, dialogue = diálogo, card = tarjeta, step = paso, node = nodo, trigger =
// disparador, draft = borrador, deploy = desplegar, roll back = restaurar, channel = canal,
// workspace = espacio de trabajo, member = miembro, role = rol, inbox = bandeja de entrada,
// handoff = traspaso, take over = tomar el control, visitor = visitante, event = evento,
// delivery = entrega, redeliver = volver a entregar, failed = fallido or con error, issue =
// incidencia, tag = etiqueta, row = fila, knowledge base = base de conocimientos, passage =
// fragmento, canned reply = respuesta rápida, broadcast = difusión, recipient = destinatario,
// retention = conservación, delete = eliminar, erase = suprimir, archive = exportación (archivo is
// a file), backup = copia de seguridad, usage = uso, log = registro, trace = traza, key = clave,
// audit log = registro de auditoría, feedback and rating = valoración, setting = ajuste.
// The reader is "usted"; computer = equipo and phone = teléfono, for Spain and Latin America.

export { account } from './account.ts'
export { archives, backups } from './archives.ts'
export { bot } from './bot/bot.ts'
export { broadcasts } from './bot/broadcasts.ts'
export { channels } from './bot/channels.ts'
export { chat } from './bot/chat.ts'
export { conversations } from './bot/conversations.ts'
export { deliveries } from './bot/deliveries.ts'
export { firstSteps } from './bot/first-steps.ts'
export { inbox } from './bot/inbox.ts'
export { integrations } from './bot/integrations.ts'
export { issues } from './bot/issues.ts'
export { checks, curated, unanswered } from './bot/knowledge/curated.ts'
export { knowledge } from './bot/knowledge/knowledge.ts'
export { logs } from './bot/logs.ts'
export { messages } from './bot/messages.ts'
export { personalData } from './bot/personal-data.ts'
export { persons } from './bot/persons.ts'
export { privacy } from './bot/privacy.ts'
export { settings } from './bot/settings.ts'
export { copilot } from './bot/studio/copilot.ts'
export { emulator } from './bot/studio/emulator.ts'
export { studio } from './bot/studio/studio.ts'
export { wizards } from './bot/studio/wizards.ts'
export { tableViews } from './bot/tables/table-views.ts'
export { tables } from './bot/tables/tables.ts'
export { trace } from './bot/trace.ts'
export { users } from './bot/users.ts'
export { versions } from './bot/versions.ts'
export { bots } from './bots.ts'
export { common } from './common.ts'
export { filters } from './filters.ts'
export { forms } from './forms.ts'
export { installation } from './installation.ts'
export { states, tags } from './objects.ts'
export { search } from './search.ts'
export { serverSettings } from './server-settings.ts'
export { shell } from './shell.ts'
export { invitation, signIn } from './sign-in.ts'
export { usage } from './usage.ts'
export { access, audit, members, tokens } from './workspace.ts'
