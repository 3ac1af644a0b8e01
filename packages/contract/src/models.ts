// All models by name: the schema components of the OpenAPI documents.
import { Account } from './models/account.ts'
import { ActionRun } from './models/action-run.ts'
import { Activity } from './models/activity.ts'
import { AnswerTrace } from './models/answer-trace.ts'
import { ApiKey, NewApiKey } from './models/api-key.ts'
import { Archive } from './models/archive.ts'
import { AuditEntry, AuditRecord } from './models/audit-record.ts'
import { Bot, BotSummary } from './models/bot.ts'
import { AnalyticsRecord } from './models/bot-analytics.ts'
import {
  ActionDefinition,
  EventDefinition,
  RecurringEvent,
  StateDefinition,
  TagDefinition,
} from './models/bot-definition.ts'
import { BotLog, LogLine } from './models/bot-log.ts'
import { BotOverview } from './models/bot-overview.ts'
import { BotVersion } from './models/bot-version.ts'
import { CannedReply } from './models/canned-reply.ts'
import { ChangeNote } from './models/change-note.ts'
import { ChatConversation } from './models/chat-conversation.ts'
import { ChatEvent } from './models/chat-event.ts'
import { ChatMessage } from './models/chat-message.ts'
import { ChatPayload } from './models/chat-payload.ts'
import { ChatUser } from './models/chat-user.ts'
import { Conversation } from './models/conversation.ts'
import { ConversationNote } from './models/conversation-note.ts'
import { DeadLetter, DeliveryAttempt } from './models/dead-letter.ts'
import { ErrorReply } from './models/error-reply.ts'
import { Event } from './models/event.ts'
import { Feedback } from './models/feedback.ts'
import { File, UploadableFile } from './models/file.ts'
import { FoundConversation } from './models/found-conversation.ts'
import { FoundUser } from './models/found-user.ts'
import { Handoff, HandoffDetails, HandoffRules, HandoffTimes } from './models/handoff.ts'
import {
  Installation,
  InstallationChange,
  PluginInstallation,
  PluginInstallationChange,
} from './models/installation.ts'
import {
  Integration,
  IntegrationSummary,
  PublicIntegration,
  PublicIntegrationSummary,
} from './models/integration.ts'
import {
  ChannelDefinition,
  ConfigurationDefinition,
  EntityDefinition,
  InterfaceImplementation,
} from './models/integration-definition.ts'
import { Interface, InterfaceChannel, InterfaceSummary } from './models/interface.ts'
import { Invitation } from './models/invitation.ts'
import { Invoice, InvoiceLine } from './models/invoice.ts'
import { Issue, IssueEvent, IssueOccurrence, TrackedIssue } from './models/issue.ts'
import { ExplainedPassage, SearchExplanation } from './models/knowledge.ts'
import { KnowledgePage, KnowledgeSource } from './models/knowledge-source.ts'
import {
  LanguageModel,
  ModelMessage,
  ModelMetadata,
  TextChunk,
  TextRequest,
  TextResponse,
  ToolCall,
} from './models/language-model.ts'
import { McpServer, McpTool } from './models/mcp-server.ts'
import { Message } from './models/message.ts'
import { ModelBudget, ModelCall, ModelProvider, ModelTotal } from './models/model-gateway.ts'
import { NumberedMessage } from './models/numbered-message.ts'
import { AnalyticsCount, Observation } from './models/observation.ts'
import {
  Erasure,
  ErasureReceipt,
  NamedBackup,
  PersonalDataCounts,
  ReceiptVerification,
} from './models/personal-data.ts'
import { Plugin, PluginDependencies, PluginSummary } from './models/plugin.ts'
import { PublicWorkspace } from './models/public-workspace.ts'
import { PendingDelivery } from './models/queue.ts'
import { Redaction, RedactionMatch, RedactionRule, RedactionRules } from './models/redaction.ts'
import { Retention, RetentionCounts, RetentionDays } from './models/retention.ts'
import { Row } from './models/row.ts'
import { SavedVersion } from './models/saved-version.ts'
import { Session } from './models/session.ts'
import { State } from './models/state.ts'
import { ColumnSchema, Table } from './models/table.ts'
import {
  ListedPlatformTableJob,
  ListedTableJob,
  PlatformTableJob,
  TableJob,
} from './models/table-job.ts'
import { TranscriptMessage } from './models/transcript-message.ts'
import { ListedQuota, Quota, Usage } from './models/usage.ts'
import { User } from './models/user.ts'
import { NewWebchatEvent, WebchatEvent } from './models/webchat-event.ts'
import { WebchatMessage } from './models/webchat-message.ts'
import { WebchatBlocItem, WebchatPayload } from './models/webchat-payload.ts'
import { WebchatUser } from './models/webchat-user.ts'
import { WebhookContent, WebhookRequest } from './models/webhook-request.ts'
import { Workflow } from './models/workflow.ts'
import { Workspace } from './models/workspace.ts'
import { WorkspaceMember } from './models/workspace-member.ts'

export const models = {
  Account,
  ActionDefinition,
  ActionRun,
  Activity,
  AnalyticsCount,
  AnalyticsRecord,
  ApiKey,
  AuditEntry,
  Archive,
  AuditRecord,
  Bot,
  AnswerTrace,
  BotLog,
  LogLine,
  PendingDelivery,
  BotOverview,
  BotSummary,
  BotVersion,
  ChannelDefinition,
  ChangeNote,
  ChatConversation,
  ChatEvent,
  ChatMessage,
  ChatPayload,
  ChatUser,
  ConfigurationDefinition,
  Conversation,
  DeadLetter,
  Erasure,
  ErasureReceipt,
  NamedBackup,
  PersonalDataCounts,
  ReceiptVerification,
  Redaction,
  RedactionMatch,
  RedactionRule,
  RedactionRules,
  Retention,
  RetentionCounts,
  RetentionDays,
  DeliveryAttempt,
  EntityDefinition,
  ErrorReply,
  Event,
  EventDefinition,
  ExplainedPassage,
  KnowledgePage,
  KnowledgeSource,
  SearchExplanation,
  Feedback,
  CannedReply,
  ConversationNote,
  Handoff,
  HandoffDetails,
  HandoffRules,
  HandoffTimes,
  File,
  FoundConversation,
  FoundUser,
  Installation,
  InstallationChange,
  Issue,
  IssueEvent,
  IssueOccurrence,
  TrackedIssue,
  Integration,
  IntegrationSummary,
  InterfaceImplementation,
  Interface,
  InterfaceChannel,
  InterfaceSummary,
  Invitation,
  Invoice,
  InvoiceLine,
  ListedQuota,
  ListedPlatformTableJob,
  ListedTableJob,
  LanguageModel,
  McpServer,
  McpTool,
  Message,
  ModelBudget,
  ModelCall,
  ModelMessage,
  ModelMetadata,
  ModelProvider,
  ModelTotal,
  NewApiKey,
  NumberedMessage,
  Observation,
  Plugin,
  PluginDependencies,
  PluginInstallation,
  PluginInstallationChange,
  PublicIntegration,
  PublicIntegrationSummary,
  PublicWorkspace,
  PluginSummary,
  Quota,
  RecurringEvent,
  Row,
  SavedVersion,
  Session,
  State,
  StateDefinition,
  ColumnSchema,
  Table,
  PlatformTableJob,
  TableJob,
  TextChunk,
  TextRequest,
  TextResponse,
  ToolCall,
  TagDefinition,
  TranscriptMessage,
  UploadableFile,
  Usage,
  User,
  WebchatBlocItem,
  WebchatEvent,
  WebchatMessage,
  WebchatPayload,
  WebchatUser,
  NewWebchatEvent,
  WebhookContent,
  WebhookRequest,
  Workflow,
  Workspace,
  WorkspaceMember,
}
