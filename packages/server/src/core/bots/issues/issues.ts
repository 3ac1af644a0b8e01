// Owns the tables issue and issue_event: errors of bots, one issue per cause. A cause is a code and
// a message without ids and numbers. Callers do not wait for issues that are recorded here; the
// outcomes of deliveries record issues in their own statement (delivery-issues.ts).
import { createHash } from 'node:crypto'
import type { Issue } from '@botstead/contract'
import { shareCommits, storableText } from '@botstead/lib'
import type { Logger } from 'pino'
import type { GetRedactors } from '../../compute/index.ts'
import { type Database, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { openRedeliveredIssues } from './redelivered-issues.ts'

/** All kinds of issues. */
export const issueKinds = {
  event_refused: { category: 'user_code', title: 'The bot rejects an event' },
  event_failed: { category: 'user_code', title: 'The bot fails to handle an event' },
  code_failed: { category: 'user_code', title: "Custom code in the bot's flows fails" },
  register_failed: { category: 'user_code', title: 'The bot fails to register' },
  process_crashed: {
    category: 'user_code',
    title: "The bot's process exits unexpectedly",
  },
  code_not_loaded: { category: 'user_code', title: "The bot's code cannot be loaded" },
  time_exceeded: { category: 'limits', title: 'The bot exceeds its time limit' },
  memory_exceeded: { category: 'limits', title: 'The bot exceeds its memory limit' },
  answer_too_large: {
    category: 'limits',
    title: "The bot's response exceeds the size limit",
  },
  logs_dropped: { category: 'limits', title: 'The bot logs exceed the limit' },
  bot_unreachable: {
    category: 'configuration',
    title: 'The bot cannot be reached at its URL',
  },
  url_not_allowed: {
    category: 'configuration',
    title: "The bot's URL leads to an address that is not allowed",
  },
  model_missing: {
    category: 'configuration',
    title: 'The bot needs a model, but none is configured',
  },
  integration_not_registered: {
    category: 'configuration',
    title: 'An integration fails to register',
  },
  redaction_rule_slow: {
    category: 'configuration',
    title: 'A redaction rule is too slow: texts are replaced completely',
  },
  change_not_told: {
    category: 'other',
    title: 'An integration cannot be notified of a change',
  },
  message_not_sent: {
    category: 'other',
    title: 'A message cannot be sent through its integration',
  },
} as const satisfies Record<string, { category: Issue['category']; title: string }>
export type IssueCode = keyof typeof issueKinds

/** Codes with one issue each: their messages say the same in different words. */
const withOneCause = new Set<IssueCode>(['memory_exceeded', 'time_exceeded'])

/** Codes with messages of this server: they stay as they are, without redaction. */
const withOwnMessage = new Set<IssueCode>(['redaction_rule_slow'])

export interface IssueReport {
  code: IssueCode
  message: string
  /** More facts about this occurrence. */
  facts?: Record<string, string>
}

export interface Issues {
  report(botId: string, trouble: IssueReport): void
  /**
   * Resolves issues `integration_not_registered` of an integration that works now or is removed, after those
   * that this server reports at the moment. Issues that another failing integration shares stay open.
   */
  resolveRegistration(botId: string, alias: string): Promise<void>
  /** Resolves the issues that are over because a redelivered event or message was handled. */
  resolveRedelivered: ReturnType<typeof openRedeliveredIssues>['handled']
  close(): Promise<void>
}

/** Events kept per issue. */
const kept = 50
const maxMessageLength = 500
const maxWaiting = 1_000

/**
 * SQL that records the rows of the CTE
 * `trouble(bot_id, issue_id, issue_event_id, code, message, fingerprint, data)`; its ids are used
 * for new issues and events. Keeps the last events of each issue, and the text of the last one.
 * `data` is a jsonb of `{name: {raw}}`.
 */
export const recordIssues = `
  issues as (
    insert into issue as i (bot_id, id, code, message, fingerprint, grouped_data, events_count)
    select bot_id, min(issue_id), code, min(message), fingerprint,
      jsonb_build_object('message', jsonb_build_object('raw', min(message))), count(*)
    from trouble group by bot_id, fingerprint, code order by bot_id, fingerprint
    on conflict (bot_id, fingerprint) do update set events_count = i.events_count + excluded.events_count,
      message = excluded.message, grouped_data = excluded.grouped_data,
      last_seen_at = now(), status = case i.status when 'resolved' then 'open' else i.status end,
      status_changed_at = case i.status when 'resolved' then now() else i.status_changed_at end
    returning bot_id, id, fingerprint
  ),
  issue_events as (
    insert into issue_event (bot_id, issue_id, id, data)
    select t.bot_id, i.id, t.issue_event_id, t.data from trouble t join issues i on i.bot_id = t.bot_id
      and i.fingerprint = t.fingerprint
  ),
  forgotten_events as (
    delete from issue_event e using (
      select i.bot_id, i.id, (
        select x.id from issue_event x where x.bot_id = i.bot_id and x.issue_id = i.id
          order by x.id desc offset ${kept - 1} limit 1
      ) as last from issues i
    ) cut
    where e.bot_id = cut.bot_id and e.issue_id = cut.id and e.id <= cut.last
  )`

/** Returns a row of `trouble`, as JSON. */
export function toIssueRow({ code, message, facts = {} }: IssueReport) {
  const cause = withOwnMessage.has(code) ? message : toCause(message)
  const allFacts = { message, ...facts }
  return {
    issue_id: newId('issue'),
    issue_event_id: newId('issueEvent'),
    code,
    message: cause,
    fingerprint: createHash('sha256')
      .update(`${code}\n${withOneCause.has(code) ? '' : cause}`)
      .digest('hex'),
    data: Object.fromEntries(
      Object.entries(allFacts).map(([name, raw]) => [
        name,
        { raw: storableText(raw, 4_000) },
      ]),
    ),
  }
}
export const issueColumns =
  'issue_id text, issue_event_id text, code text, message text, fingerprint text, data jsonb'

/** Patterns for the variable parts of a message. Each takes linear time; messages are short. */
const particulars: [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{12,}\b/gi, '<id>'],
  [/\d+(?:[.,]\d+)*/g, '<n>'],
]

/** Returns the first line of the message without ids and numbers. */
export function toCause(message: string): string {
  const [line = ''] = storableText(message, 2_000).trim().split('\n', 1)
  const short = line.slice(0, maxMessageLength)
  return particulars.reduce((text, [pattern, word]) => text.replace(pattern, word), short)
}

export interface IssueOptions {
  getRedactors: GetRedactors
  /** Called after issues of the bot were recorded or resolved. */
  changed: (botId: string) => void
}

export function openIssues(
  database: Database,
  log: Logger,
  { getRedactors, changed }: IssueOptions,
): Issues {
  const waiting = new Set<Promise<void>>()
  const redelivered = openRedeliveredIssues(database, log, changed)
  const commits = shareCommits<{ botId: string; trouble: IssueReport }, void>(
    async (noted) => {
      const rows = await Promise.all(
        noted.map(async ({ botId, trouble }) => {
          const { logs } = await getRedactors(botId)
          const { code, message, facts = {} } = trouble
          const isRedacted = logs && !withOwnMessage.has(code)
          const redacted = isRedacted
            ? { code, ...(await logs.value({ message, facts })) }
            : trouble
          return { bot_id: botId, ...toIssueRow(redacted) }
        }),
      )
      await database.lazily(...noteAll({ troubles: JSON.stringify(rows) }))
      for (const { botId } of noted) changed(botId)
      return noted.map(() => undefined)
    },
  )
  return {
    report(botId, trouble) {
      if (waiting.size >= maxWaiting)
        return log.warn(
          { botId, issue: trouble.code },
          'an issue was not recorded: the queue is full',
        )
      const written = commits
        .write({ botId, trouble })
        .catch((error) =>
          log.warn(
            { err: error, botId, issue: trouble.code },
            'an issue was not recorded',
          ),
        )
        .finally(() => waiting.delete(written))
      waiting.add(written)
    },
    async resolveRegistration(botId, alias) {
      await Promise.all(waiting)
      const resolved = await database.lazily(...resolveRegistered({ botId, alias }))
      if (resolved.length > 0) changed(botId)
    },
    resolveRedelivered: redelivered.handled,
    close: async () => void (await Promise.all([...waiting, redelivered.close()])),
  }
}

const resolveRegistered = statement<{ botId: string; alias: string }>(
  'resolve-registered',
  `
  update issue i set status = 'resolved', status_changed_at = now()
  where i.bot_id = :botId and i.code = 'integration_not_registered' and i.status = 'open'
    and exists (
      select from issue_event e where e.bot_id = i.bot_id and e.issue_id = i.id
        and e.data -> 'integration' ->> 'raw' = :alias)
    and not exists (
      select from issue_event e join installation n on n.bot_id = e.bot_id
        and n.alias = e.data -> 'integration' ->> 'raw'
      where e.bot_id = i.bot_id and e.issue_id = i.id and n.alias <> :alias and n.enabled
        and n.status = 'registration_failed')
  returning i.id`,
)

/** Ignores bots that were deleted in the meantime. */
const noteAll = statement<{ troubles: string }>(
  'note-issues',
  `
  with trouble as (
    select present.id as bot_id, issue_id, issue_event_id, code, message,
      decode(fingerprint, 'hex') as fingerprint, data
    from jsonb_to_recordset(:troubles::jsonb) as given (bot_id text, ${issueColumns})
      join bot present on present.id = given.bot_id
  ),
  ${recordIssues}
  select count(*) from issues`,
)
