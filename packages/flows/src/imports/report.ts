// The report of an import: one entry for each part of the source, with its place in the document.

/** `changed`: carried with a difference. `omitted`: not carried. The note says what to do. */
export type ImportResult = 'carried' | 'changed' | 'omitted'

export interface ImportEntry {
  result: ImportResult
  /** Kind of the part in the words of the source: `choice input`, `llm`. */
  kind: string
  /** Label in the source; '' without one. */
  name: string
  /** Flow and node of the document, as `flow/node`. */
  place?: string
  note?: string
}

export interface ImportReport {
  /** Name of the builder, with the version of its format. */
  source: string
  /** Name of the bot in the source. */
  name: string
  counts: Record<ImportResult, number>
  entries: ImportEntry[]
  /** Names of secrets that the file has or needs. The document has none of their values. */
  secrets: string[]
  /** Knowledge bases of the document, with the documents to upload. */
  knowledge: { base: string; documents: string[] }[]
  /** Differences of the whole bot. */
  remarks: string[]
}

/** Longer parts of the source are cut in reports. */
const maxText = 300
export const shorten = (text: string, max = maxText): string => {
  const line = text.replace(/\s+/g, ' ').trim().toWellFormed()
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line
}

/** Returns the report as Markdown. */
export function toReportText(report: ImportReport): string {
  const { source, name, counts, entries, secrets, knowledge, remarks } = report
  const total = counts.carried + counts.changed + counts.omitted
  const row = ({ kind, name, place = '', note = '' }: ImportEntry) =>
    `| ${[kind, name, place, note].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = (result: ImportResult) => [
    '',
    `## ${headings[result]}`,
    '',
    '| Kind | Name | Place | Note |',
    '|---|---|---|---|',
    ...entries.filter((entry) => entry.result === result).map(row),
  ]
  const list = (heading: string, items: string[]) =>
    items.length === 0
      ? []
      : ['', `## ${heading}`, '', ...items.map((item) => `* ${item}`)]
  return [
    `# Import of ${name || 'a bot'} from ${source}`,
    '',
    `${total} parts: ${counts.carried} carried, ${counts.changed} carried with a difference, ` +
      `${counts.omitted} not carried.`,
    ...(['omitted', 'changed', 'carried'] as const).flatMap((result) =>
      counts[result] === 0 ? [] : table(result),
    ),
    ...list('Secrets to set', secrets),
    ...list(
      'Documents to upload',
      knowledge.map(
        ({ base, documents }) => `Knowledge base \`${base}\`: ${documents.join(', ')}`,
      ),
    ),
    ...list('Remarks', remarks),
    '',
  ].join('\n')
}

const headings: Record<ImportResult, string> = {
  omitted: 'Not carried',
  changed: 'Carried with a difference',
  carried: 'Carried',
}
