// The rows of the tables as the migrations define them and the driver returns them: bigint as string,
// timestamptz as Date, bytea as Buffer.
import type { AuditAction } from '@botstead/contract'
import type { ColumnType, Generated } from 'kysely'

type Json = unknown
/** A bigint: read as a string, written as a number or string. */
type Big = ColumnType<string, string | number, string | number>
type Timestamps = { created_at: Generated<Date>; updated_at: Generated<Date> }
type Tags = Generated<Record<string, string>>
type PackageVersion = Timestamps & {
  id: string
  workspace_id: string
  line_id: string
  name: string
  version: string
  rank: string
  visibility: 'private' | 'unlisted' | 'public'
  title: string | null
  description: Generated<string>
  readme_id: string | null
  sdk_version: string | null
  definition: Json
}

export interface Schema {
  account: Timestamps & {
    id: string
    email: string
    name: string | null
    picture_url: string | null
    invited_by: Generated<string | null>
  }
  account_preference: { account_id: string; key: string; value: Json }
  workspace: Timestamps & {
    id: string
    name: string
    handle: string | null
    profile: Generated<Record<string, Json>>
  }
  workspace_member: {
    workspace_id: string
    account_id: string
    role: string
    granted_by: ColumnType<string | null, string | null | undefined, string | null>
    created_at: Generated<Date>
  }
  workspace_preference: { workspace_id: string; key: string; value: Json }
  token: {
    id: string
    kind: 'pat' | 'bak' | 'iak'
    hash: Buffer
    note: Generated<string>
    account_id: string | null
    bot_id: string | null
    integration_id: string | null
    workspace_id: ColumnType<string | null, string | null | undefined, string | null>
    internal: Generated<boolean>
    expires_at: Date | null
    created_at: Generated<Date>
  }
  bot: Timestamps & {
    id: string
    workspace_id: string
    name: string
    description: Generated<string>
    dev: Generated<boolean>
    type: Generated<'studio' | 'adk' | 'desk'>
    status: Generated<string>
    url: string | null
    signing_secret: Buffer
    secrets: Generated<Record<string, string>>
    definition: Generated<Record<string, Json>>
    tags: Tags
    authentication: Generated<string>
    blocked: Generated<boolean>
    always_alive: Generated<boolean>
    max_execution_seconds: Generated<number>
    deployed_at: Date | null
    created_by: string | null
    layers: Generated<string[]>
    retired_signing_secrets: Generated<{ secret: string; until: string }[]>
    allowlist: Generated<AllowlistSetting>
  }
  bot_version: {
    bot_id: string
    id: string
    name: string
    description: string | null
    code_hash: Buffer | null
    state: Buffer
    created_by: string | null
    created_at: Generated<Date>
  }
  bot_version_code: { bot_id: string; hash: Buffer; code: string }
  bot_allowed_member: { bot_id: string; workspace_id: string; account_id: string }
  bot_code: {
    bot_id: string
    version: string
    code: string
    created_at: Generated<Date>
    load_error: string | null
  }
  bot_log: {
    bot_id: string
    id: Generated<string>
    at: Generated<Date>
    level: string
    message: string
    conversation_id: string | null
    user_id: string | null
    workflow_id: string | null
    event_id: string | null
  }
  integration: Timestamps & {
    id: string
    workspace_id: string | null
    name: string
    version: string
    dev: Generated<boolean>
    url: string | null
    definition: Generated<Record<string, Json>>
    line_id: string | null
    rank: Generated<string>
    visibility: Generated<'private' | 'unlisted' | 'public'>
    title: string | null
    description: Generated<string>
    attributes: Tags
    action_names: Generated<string[]>
    interface_ids: Generated<string[]>
    interface_names: Generated<string[]>
    readme_id: string | null
    sdk_version: string | null
    layers: Generated<string[]>
    max_execution_seconds: number | null
    signing_secret: Buffer | null
    previous_signing_secret: Buffer | null
    previous_signing_until: Date | null
  }
  integration_code: {
    integration_id: string
    version: string
    code: string
    created_at: Generated<Date>
    load_error: string | null
  }
  integration_view: { integration_id: string; count: Big }
  package_line: {
    id: string
    kind: 'integration' | 'interface' | 'plugin'
    workspace_id: string
    name: string | null
    icon_id: string | null
    secrets: Generated<Record<string, string>>
  }
  package_asset: { id: string; workspace_id: string; content: Buffer; content_type: string }
  installation: Timestamps & {
    bot_id: string
    alias: string
    integration_id: string
    webhook_id: string
    enabled: Generated<boolean>
    configuration_type: string | null
    configuration: Buffer
    status: Generated<string>
    status_reason: string | null
    disabled_channels: Generated<string[]>
    identifier: string | null
    sandbox_identifiers: Json | null
    register_schedule: string | null
    register_at: Date | null
    attempt: string | null
    registered_as: string | null
    former_id: string | null
    leaves: Generated<boolean>
  }
  integration_log: {
    integration_id: string
    id: Generated<string>
    at: Date
    level: string
    message: string
    bot_id: string | null
    conversation_id: string | null
    user_id: string | null
  }
  shareable_id: { bot_id: string; alias: string; code: string; expires_at: Date }
  sandbox_conversation: {
    owner: string
    integration: string
    identifier: string
    bot_id: string
    alias: string
  }
  interface: PackageVersion
  plugin: PackageVersion
  plugin_code: { plugin_id: string; platform: 'node' | 'browser'; code: string }
  plugin_dependency: {
    plugin_id: string
    workspace_id: string
    alias: string
    interface_id: string | null
    integration_id: string | null
  }
  bot_plugin: Timestamps & {
    bot_id: string
    alias: string
    plugin_id: string
    enabled: boolean
    configuration: Buffer
    interfaces: Record<
      string,
      {
        integrationId: string
        integrationAlias: string
        integrationInterfaceAlias: string
        interfaceId: string
      }
    >
    integrations: Record<string, { integrationId: string; integrationAlias: string }>
    definition: Json
  }
  user: Timestamps & {
    bot_id: string
    id: string
    fid: string | null
    integration: string | null
    name: string | null
    picture_url: string | null
    profile: string | null
    tags: Tags
    properties: Tags
  }
  conversation: Timestamps & {
    bot_id: string
    id: string
    fid: string | null
    owner_id: string | null
    integration: string
    channel: string
    tags: Tags
    properties: Tags
    message_count: Generated<number>
    last_number: Generated<string>
    /** The lowest number of imported messages, which are numbered downwards. */
    first_number: Generated<string>
    last_message_at: Date | null
  }
  participant: { bot_id: string; conversation_id: string; user_id: string; joined_at: Generated<Date> }
  message: {
    bot_id: string
    id: string
    conversation_id: string
    user_id: string
    number: Big
    direction: 'incoming' | 'outgoing'
    type: string
    payload: Json
    tags: Tags
    origin: string | null
    cause: string | null
    said_again: string | null
    created_at: Date
    updated_at: Date
  }
  told_change: { bot_id: string; id: string; alias: string; operation: string; body: Json }
  signal: {
    bot_id: string
    conversation_id: string
    number: Big
    type: string
    data: Json
    created_at: Generated<Date>
  }
  event: {
    bot_id: string
    id: string
    type: string
    payload: Json | null
    conversation_id: string | null
    user_id: string | null
    message_id: string | null
    workflow_id: string | null
    status: Generated<EventStatus>
    failure_reason: string | null
    cause: string | null
    created_at: Generated<Date>
    due_at: Date | null
    recurring_key: string | null
  }
  scheduled_message: {
    bot_id: string
    id: string
    conversation_id: string
    user_id: string
    direction: 'incoming' | 'outgoing'
    type: string
    payload: Json
    tags: Tags
    origin: string | null
    cause: string | null
    said_again: string | null
    due_at: Date
    created_at: Generated<Date>
  }
  recurring_event: {
    bot_id: string
    key: string
    type: string
    payload: Json
    cron: string
    next_at: Date | null
    failed_attempts: Generated<number>
    last_failure_reason: string | null
  }
  state: Timestamps & {
    bot_id: string
    alias: string | null
    owner: ColumnType<string, never, never>
    type: StateType
    subject_id: string
    name: string
    id: string
    payload: Record<string, unknown>
    revision: string
    expiry_ms: Big | null
    expiry_given: boolean
    expires_at: Date | null
    cause: string | null
    conversation_id: ColumnType<string | null, never, never>
    user_id: ColumnType<string | null, never, never>
    workflow_id: ColumnType<string | null, never, never>
  }
  workflow: Timestamps & {
    bot_id: string
    id: string
    name: string
    status: WorkflowStatus
    integration: string | null
    input: Json
    output: Json
    tags: Tags
    parent_workflow_id: string | null
    conversation_id: string | null
    user_id: string | null
    failure_reason: string | null
    step_event_id: string | null
    handled_in: string | null
    retriggers: Generated<number>
    timeout_at: Date
    completed_at: Date | null
  }
  worker: {
    id: string
    host: string
    pid: number
    machine: string | null
    process_start: string | null
    alive_until: Date
    started_at: Generated<Date>
  }
  lane: {
    bot_id: string
    key: string
    owner: string | null
    pending: Generated<number>
    last_number: Generated<string>
    ready_at: Generated<Date>
  }
  delivery: {
    bot_id: string
    lane: string
    number: Big
    id: string
    kind: string
    subject_id: string
    attempts: Generated<number>
    last_error: string | null
    created_at: Generated<Date>
    dead_at: Date | null
    trace: Generated<string | null>
    type: string | null
    conversation_id: string | null
    earlier_attempts: Generated<number>
  }
  delivery_attempt: {
    bot_id: string
    delivery_id: string
    attempt: number
    started_at: Date
    ms: number
    error: string
    stack: string | null
  }
  tag_value: {
    bot_id: string
    kind: 'user' | 'conversation' | 'message'
    key: Buffer
    value: string
    subject_id: string
  }
  usage_count: { workspace_id: string; type: string; day: string; bot_id: string; value: number }
  analytics_count: { bot_id: string; name: string; hour: Date; count: Big }
  observation: {
    bot_id: string
    id: string
    given_id: string | null
    name: string
    integration: string | null
    data: Json
    message_id: string | null
    event_id: string | null
    conversation_id: string | null
    user_id: string | null
    error_id: string | null
    trace_id: string | null
    created_at: Generated<Date>
  }
  analytics_day: { bot_id: string; day: ColumnType<string, string, string>; record: Json }
  analytics_progress: { bot_id: string; through: ColumnType<string, string, string> }
  issue: {
    bot_id: string
    id: string
    code: string
    message: string
    fingerprint: Buffer
    grouped_data: Json
    events_count: Big
    created_at: Generated<Date>
    last_seen_at: Generated<Date>
  }
  issue_event: { bot_id: string; issue_id: string; id: string; data: Json; created_at: Generated<Date> }
  action_run: {
    bot_id: string
    id: string
    alias: string | null
    integration: string | null
    action: string
    succeeded: boolean
    ms: number
    error: string | null
    input: Json
    input_truncated: boolean
    output: Json | null
    output_truncated: boolean
    cause: string | null
    started_at: Date
    cached: Generated<boolean>
  }
  file: Timestamps & {
    bot_id: string
    id: string
    integration: string | null
    key: string
    content_type: string
    size: string | null
    status: string
    status_reason: string | null
    owner: Json
    tags: Tags
    metadata: Generated<Record<string, Json>>
    access_policies: Generated<string[]>
    index: Generated<boolean>
    upload_id: string | null
    upload_until: Date | null
    blob: string | null
    checksum: string | null
    expires_at: Date | null
    indexing: Json | null
    indexing_worker: string | null
    indexing_attempts: Generated<number>
    indexing_after: Date | null
  }
  file_index: {
    bot_id: string
    file_id: string
    checksum: string | null
    configuration: Json | null
    language: string
    passages: number
    tokens: number
    bytes: Generated<string>
    model: string | null
    embed_at: Generated<Date | null>
    embed_attempts: Generated<number>
  }
  passage: {
    bot_id: string
    file_id: string
    position: number
    id: string
    subtype: string
    page: number | null
    headings: Generated<string[]>
    content: string
    tokens: number
    words: string
  }
  passage_vector: {
    bot_id: string
    file_id: string
    position: number
    model: string
    signs: string
    vector: Buffer
  }
  file_word: { bot_id: string; file_id: string; word: string }
  knowledge_base: {
    bot_id: string
    id: string
    integration: string | null
    name: string
    tags: Tags
    created_at: Generated<Date>
  }
  idempotency_key: {
    bot_id: string
    id: Buffer
    request: Buffer
    owner: string | null
    status: number | null
    answer: Buffer | null
    created_at: Generated<Date>
  }
  audit_record: {
    chain: string
    number: Big
    at: Date
    account_id: string | null
    token_id: string | null
    ip: string
    operation: string
    action: AuditAction
    target_id: string | null
    target_name: string | null
    result: 'done' | 'refused' | 'failed'
    hash: Buffer
  }
  token_address: {
    token_id: string
    workspace_id: string | null
    network: string
    first_used_at: Generated<Date>
  }
  audit_chain: { chain: string; number: Big; hash: Buffer }
  loose_blob: { name: string; remove_at: Date; going: Generated<boolean> }
  bot_table: Timestamps & {
    bot_id: string
    bot_table_id: string
    name: string
    factor: Generated<number>
    frozen: Generated<boolean>
    compute_enabled: Generated<boolean>
    schema: Json
    columns: Json
    next_column: number
    key_column: string | null
    tags: Tags
    /** Alias of the integration that created it. */
    integration: string | null
  }
  table_job: Timestamps & {
    bot_id: string
    job_id: string
    bot_table_id: string
    type: string
    status: Generated<string>
    progress: Generated<number>
    task: Json
    position: Generated<string>
    warnings: Generated<string[]>
    failure: string | null
    input_file_id: string | null
    output_file_id: string | null
    worker: string | null
    not_before: Date | null
    attempts: Generated<number>
  }
  table_counter: {
    bot_id: string
    bot_table_id: string
    last_row_id: Generated<string>
    row_count: Generated<string>
    computing_worker: Generated<string | null>
    compute_after: Generated<Date | null>
  }
  table_row: Timestamps & {
    bot_id: string
    bot_table_id: string
    row_id: Big
    data: Json
    computed: Generated<Json>
    stale: Generated<string[]>
    key_value: string | null
  }
  table_row_terms: { bot_id: string; bot_table_id: string; row_id: Big; terms: string }
}

export type AllowlistSetting = 'ALL_WORKSPACE_USERS' | 'SELECTED_USERS'
export type StateType = 'conversation' | 'user' | 'bot' | 'integration' | 'workflow'
export type EventStatus = 'pending' | 'processed' | 'ignored' | 'failed' | 'scheduled' | 'canceled'
export type WorkflowStatus =
  | 'pending'
  | 'in_progress'
  | 'listening'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'timedout'
  | 'cancelled'
