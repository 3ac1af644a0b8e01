// Where the server's time goes: the functions with the most time of their own, from the profile that Node writes when the process ends.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digits, table } from './report.ts'

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

export async function printProfile(folder: string, shown = 40) {
  for (const file of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
    const own = ownTimes(profile)
    const busy = [...own].filter(([name]) => !name.startsWith('(idle)') && !name.startsWith('(program)')).reduce((sum, [, ms]) => sum + ms, 0)
    const rows = [...own].sort((a, b) => b[1] - a[1]).slice(0, shown)
    table(
      `Where the server's time went (${file})`,
      ['function', 'own ms', 'of what JavaScript and collection took'],
      rows.map(([name, ms]) => [name, digits(ms), `${((ms / busy) * 100).toFixed(1)} %`]),
    )
  }
}

function ownTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const own = new Map<string, number>()
  samples.forEach((id, at) => {
    const name = names.get(id) ?? '?'
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000)
  })
  return own
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(node_modules|packages)\//, '').replace(/^file:\/\//, '')
  return place ? `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}` : functionName
}
