// The section "Official software" of the report, from the results of
// `npm run conformance -- --software`. Deterministic, without network.
export interface Step {
  step: string
  /** Null: it works. */
  failure: string | null
}
export interface SoftwareResult {
  name: string
  version: string
  /** The day of the run. */
  on: string
  steps: Step[]
  note?: string
}
export interface SoftwareRun {
  results: SoftwareResult[]
}

export function writeSoftware({ results }: SoftwareRun): string {
  return [
    '## Official software',
    '',
    'Each version was installed from npm and run against a server process, by `npm run conformance -- ' +
      '--software`. A step that failed is',
    'named with its reason.',
    '',
    '| Package | Version | Result | Run on | What was performed |',
    '|---|---|---|---|---|',
    ...results.map(writeResult),
    '',
    'npm does not have newer versions of the command line (7.1), of the chat client (1.1) and of the ' +
      'cognitive client (1.1), so they could not be run. The',
    'requests that the newer command line sends, and what it reads from the answers, are performed by ' +
      '`packages/server/test/official/newer-cli.test.ts`.',
    '',
  ].join('\n')
}

function toResult(failed: number, steps: number): string {
  if (failed === 0) return 'works'
  return failed === steps ? 'fails' : 'works in part'
}

function writeResult({ name, version, on, steps, note }: SoftwareResult): string {
  const failed = steps.filter(({ failure }) => failure !== null)
  const result = toResult(failed.length, steps.length)
  const performed = steps.map(({ step, failure }) =>
    failure === null ? step : `**${step}** failed: ${failure}`,
  )
  const cells = [
    `\`${name}\``,
    version,
    result,
    on,
    performed.join('; ') + (note === undefined ? '' : `. ${note}`),
  ]
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
