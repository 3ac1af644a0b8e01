// The part of a reply that is new: without the quoted e-mail and the signature.

/** Lines that begin the quoted e-mail, in the languages of common programs. */
const beginnings = [
  /^-{2,} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original) ?-{2,}/i,
  /^(?:On|Am|Le|El|Il|Op|Em|W dniu|Den|Dne)\b.{4,300}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|napisał|skrev|napsal).{0,100}:\s*$/i,
]
const sender = /^\*?(?:From|Von|De|Da|Van|Od|Från)\s?:\*?\s.{1,300}/i
const time =
  /^\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden|Data|Wysłano|Skickat)\s?:/i
const device =
  /^(?:Sent from my|Get Outlook for|Von meinem .{1,60} gesendet|Envoyé de mon|Enviado desde mi)\b/i

/** Longer texts stay whole. */
const maxLines = 5_000
/** The quoted e-mail begins within so many lines. */
const maxOwnLines = 200
const maxLineLength = 400

/** Returns the whole text if nothing would remain, and if the person answers between the quoted lines. */
export function cutQuotes(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.length > maxLines) return text.trim()
  const end = lines.slice(0, maxOwnLines).findIndex((_, i) => isEnd(lines, i))
  const own = lines.slice(0, end < 0 ? lines.length : end)
  const kept = withoutTrailingQuote(own).join('\n').trim()
  return kept === '' ? text.trim() : kept
}

function isEnd(lines: string[], i: number): boolean {
  const line = (lines[i] ?? '').trim()
  if (lines[i] === '-- ' || line === '--') return true
  if (line === '' || line.length > maxLineLength) return false
  if (device.test(line))
    return lines.slice(i + 1).every((one) => !one.trim() || one.startsWith('>'))
  // Programs break the long line of time and name.
  const both = `${line} ${(lines[i + 1] ?? '').trim()}`.slice(0, maxLineLength * 2)
  const after = lines.slice(i + 1).find((one) => one.trim() !== '') ?? ''
  if (
    beginnings.some(
      (begins) => begins.test(line) || (begins.test(both) && !after.startsWith('>')),
    )
  )
    return !hasAnswerBelow(lines, i + 1)
  return (
    sender.test(line) && lines.slice(i + 1, i + 5).some((one) => time.test(one.trim()))
  )
}

/** A person who writes between the quoted lines means them. */
function hasAnswerBelow(lines: string[], from: number): boolean {
  const below = lines.slice(from)
  const first = below.findIndex((line) => line.startsWith('>'))
  if (first < 0) return false
  const end = below.findIndex(
    (line, i) => i > first && (line === '-- ' || line.trim() === '--'),
  )
  return below
    .slice(first, end < 0 ? below.length : end)
    .some((line) => line.trim() !== '' && !line.startsWith('>') && !device.test(line))
}

function withoutTrailingQuote(lines: string[]): string[] {
  let end = lines.length
  while (end > 0 && isQuoted(lines[end - 1] ?? '')) end--
  if (!lines.slice(end).some((line) => line.startsWith('>'))) return lines
  // The line above says who wrote it.
  let begin = end
  while (begin > Math.max(0, end - 2) && (lines[begin - 1] ?? '').trim() !== '') begin--
  return lines.slice(0, /:\s*$/.test(lines[end - 1] ?? '') ? begin : end)
}

const isQuoted = (line: string) => line.startsWith('>') || line.trim() === ''
