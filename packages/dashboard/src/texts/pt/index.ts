// Terms: flow = fluxo, dialogue = diálogo, card = cartão, step = etapa, node = nó, trigger =
// gatilho, draft = rascunho, publish = publicar, deploy = implantar, roll back = reverter,
// integration = integração, alias = apelido, channel = canal, workspace = espaço de trabalho,
// member = membro, role = função, agent (role) = atendente, handoff = atendimento (verb:
// transferir), take over = assumir, inbox = caixa de entrada, canned reply = resposta rápida,
// visitor = visitante, user = usuário, delivery = entrega, redeliver = reentregar, dead letter =
// falha, issue = problema, row = linha, view = visualização, knowledge base = base de conhecimento,
// passage = trecho, score = pontuação, broadcast = transmissão, recipient = destinatário, retention
// = retenção, delete = excluir, erase = eliminar (word of the LGPD), redaction = mascaramento,
// archive = exportação (arquivo is a file), usage = uso, quota = limite, audit log = log de
// auditoria, trace = rastro, bundle = pacote, state (of a bot) = estado, (column) = status. As they
// are: bot, hook, webhook, token, tag, log, backup.

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
