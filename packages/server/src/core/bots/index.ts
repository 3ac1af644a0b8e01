import type { Logger } from 'pino'
import type { Database } from '../db/index.ts'
import type { Services } from '../http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import type { BotHooks } from './hooks.ts'
import { removeOldIssues } from './issues/issue-listing.ts'
import { type IssueOptions, openIssues } from './issues/issues.ts'
import { removeOldBotLogs } from './logs/bot-logs.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const botsModule = {
  name: 'bots',
  tables,
  bindings,
  handlers,
  open: ({ database, log, ...options }: Deps) => {
    const issues = openIssues(database, log, options)
    return { services: { issues }, close: issues.close }
  },
  createHooks: (): BotHooks => ({ botDeployed: [], findTrials: [], findTried: [] }),
  tasks: ({ db, config: { logDays, insightDays } }: Services) => [
    { everyMs: 600_000, run: () => removeOldBotLogs(db, logDays) },
    { everyMs: 600_000, run: () => removeOldIssues(db, insightDays) },
  ],
}

interface Deps extends IssueOptions {
  database: Database
  log: Logger
}

export { allowlists } from './allowlists.ts'
export { listBotSummaries } from './api/admin/bot-listing.ts'
export { toBot } from './api/admin/serializers.ts'
export { toBotLog } from './api/bot-logs.ts'
export { botCode, type Deployment } from './bot-code.ts'
export { hostedBotKey } from './bot-keys.ts'
export { type BotChange, botRules, type NewBot } from './bot-rules.ts'
export { botSecrets } from './bot-secrets.ts'
export { storeMcpActions, storeRules } from './bot-settings.ts'
export { type Bot, botStore } from './bots.ts'
export { type TrialServices, tryCode } from './code-trials.ts'
export { botDeclarations } from './declarations.ts'
export type { BotDefinition } from './definition.ts'
export { findVersionAt, recordDeployment } from './deployments.ts'
export type { BotHooks } from './hooks.ts'
export { deliveryIssues } from './issues/delivery-issues.ts'
export type { IssueCode, IssueReport, Issues } from './issues/issues.ts'
export { botLogs } from './logs/bot-log-listing.ts'
export { createBotLogWriter } from './logs/bot-log-writer.ts'
export { appendBotLogs, type BotLogLine, type LogDeps } from './logs/bot-logs.ts'
export type { BotServices } from './services.ts'
export { rotateSigningSecrets } from './signing-secrets.ts'
