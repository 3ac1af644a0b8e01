// E-mails that no person has written to the bot: an answer could begin a loop, or go to a whole list.
import type { Headers } from './headers.ts'

/** Headers that decide; the channel asks for these. */
export const decidingHeaders = [
  'auto-submitted',
  'precedence',
  'list-id',
  'list-unsubscribe',
  'x-autoreply',
  'x-autorespond',
  'x-failed-recipients',
  'return-path',
  'content-type',
]

const senders =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|noreply)(?:[+_-][^@]*)?@/i
const contentTypes = /^multipart\/report|report-type=|^message\/(?:delivery|disposition)/i

/** Answers of machines (RFC 3834), reports of delivery (RFC 3464), and mailing lists (RFC 2919). */
export function isAutomatic(headers: Headers, sender: string): boolean {
  const has = (name: string) => Boolean(headers.get(name))
  const submitted = headers.get('auto-submitted') ?? 'no'
  return (
    senders.test(sender) ||
    !/^no\b/i.test(submitted) ||
    /^(?:bulk|junk|list|auto_reply)\b/i.test(headers.get('precedence') ?? '') ||
    /^<\s*>$/.test(headers.get('return-path') ?? '') ||
    contentTypes.test(headers.get('content-type') ?? '') ||
    [
      'list-id',
      'list-unsubscribe',
      'x-autoreply',
      'x-autorespond',
      'x-failed-recipients',
    ].some(has)
  )
}
