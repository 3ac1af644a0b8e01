// Terms: flow = Ablauf, dialogue = Dialog, card = Karte, step = Schritt, node = Knoten, trigger =
// Auslöser, hook = Hook, draft = Entwurf, publish = veröffentlichen, deploy = bereitstellen, roll
// back = zurückkehren, channel = Kanal, token = das Token, secret = Geheimnis, workspace = der
// Workspace, member = Mitglied, owner = Inhaber, operator = Betreiber, inbox = Posteingang, handoff
// = Übergabe, take over = übernehmen, visitor = Besucher, user = Nutzer, conversation =
// Unterhaltung, turn = Durchgang, event = Ereignis, delivery = Zustellung, redeliver = erneut
// zustellen, issue = Problem, problem of a check = Fehler, trace = Trace, state (declared) =
// Zustand, tag = das Tag (a label alone: Tags, as Tag is a day), row = Zeile, column = Spalte,
// knowledge base = Wissensdatenbank, passage = Textstelle, score = Relevanz, canned reply =
// Textbaustein, broadcast = Rundnachricht, retention = Aufbewahrung, redaction = Schwärzung,
// erasure = Löschung, receipt = Nachweis, archive = Archiv, backup = Backup, usage = Nutzung, audit
// log = Audit-Log, person who answers in place of the bot = Mensch. Address: Sie.

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
