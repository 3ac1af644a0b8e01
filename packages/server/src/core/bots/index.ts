export {
  type BotAccess,
  findAllowlist,
  findBotAccess,
  findBotAccesses,
  isHiddenFrom,
  updateAllowlist,
} from './allowlists.ts'
export { type Deployment, findCode, findCodeVersion, findDeployment, readCode } from './bot-code.ts'
export { createBotKey, deleteBotKey, hostedBotKey, listBotKeys } from './bot-keys.ts'
export { type BotLogRow, listBotLogs, listEventLogs } from './bot-log-listing.ts'
export { type BotLogWriter, createBotLogWriter } from './bot-log-writer.ts'
export { appendBotLogs, type BotLogLine, type LogDeps, removeOldBotLogs } from './bot-logs.ts'
export {
  type Backing,
  type BotPlugin,
  type BotPluginRow,
  type Brought,
  findBacking,
  type InterfaceBacking,
  isPluginInstalled,
  listBotPlugins,
  openBotPlugin,
  type StoredBotPlugin,
  withPlugins,
  writeBotPlugins,
} from './bot-plugins.ts'
export {
  type BotChange,
  checkBotDefinition,
  checkBotUrl,
  checkRecurringEvent,
  type NewBot,
} from './bot-rules.ts'
export {
  openBotSecrets,
  openSigningSecrets,
  opens,
  type SigningSecret,
  validSecrets,
} from './bot-secrets.ts'
export { storeMcpActions, storeRules } from './bot-settings.ts'
export {
  type Bot,
  blockBots,
  countBots,
  createBot,
  deleteBot,
  findBot,
  findBotById,
  findBotWorkspace,
  listBotIds,
  listBots,
  moveBot,
  noBot,
  type ShownBot,
  updateBot,
  withFullDefinition,
} from './bots.ts'
export { findBotAction, findBotDeclaration, findBotState } from './declarations.ts'
export { type BotDefinition, mergeKeys, merging, replacing } from './definition.ts'
export { rejectLargeDefinition } from './definition-limits.ts'
export { findVersionAt, recordDeployment } from './deployments.ts'
export {
  changeIssueStatus,
  deleteIssue,
  findIssue,
  type IssueEventRow,
  type IssueRow,
  lastMessagesOf,
  listIssueEvents,
  listIssues,
  removeOldIssues,
  resolveIssues,
} from './issue-listing.ts'
export {
  type IssueCode,
  type IssueReport,
  type Issues,
  issueColumns,
  issueKinds,
  openIssues,
  recordIssues,
  toIssueRow,
} from './issues.ts'
export { openRedeliveredIssues, type RedeliveredIssues } from './redelivered-issues.ts'
export { rotateSigningSecrets } from './signing-secrets.ts'
export { tables } from './table-rules.ts'
export { initCall, webchatCode } from './webchat-code.ts'
