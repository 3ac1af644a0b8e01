// Lists the functions of the server with the most self time, from the CPU profile that Node writes
// at exit.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digits, printTable } from './report.ts'

interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
  }[]
  samples: number[]
  timeDeltas: number[]
}

export async function printProfile(folder: string, shown = 30) {
  for (const file of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
    const own = ownTimes(profile, toName)
    const busy = [...own.values()].reduce((sum, ms) => sum + ms, 0)
    const rows = (times: Map<string, number>) =>
      [...times]
        .sort((a, b) => b[1] - a[1])
        .slice(0, shown)
        .map(([name, ms]) => [name, digits(ms), `${((ms / busy) * 100).toFixed(1)} %`])
    printTable(
      `CPU time of the server by part (${file})`,
      ['part', 'self ms', 'share'],
      rows(ownTimes(profile, toPart)),
    )
    printTable(
      'CPU time of the server by function',
      ['function', 'self ms', 'share'],
      rows(own),
    )
  }
}

type Frame = CpuProfile['nodes'][number]['callFrame']

function ownTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  naming: (frame: Frame) => string,
): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, naming(callFrame)]))
  const own = new Map<string, number>()
  samples.forEach((id, at) => {
    const name = names.get(id) ?? '?'
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000)
  })
  own.delete('(idle)')
  return own
}

function toName({ functionName, url, lineNumber }: Frame): string {
  const location = toLocation(url)
  return location
    ? `${functionName || '(anonymous)'} ${location}:${lineNumber + 1}`
    : functionName
}

/**
 * Returns a folder of the project, a package or a Node module; for native functions, which have no
 * file, the name.
 */
function toPart({ functionName, url }: Frame): string {
  const [first, second, third] = toLocation(url).split('/')
  if (!first) return functionName
  if (first.startsWith('node:')) return second ? `${first}/${second}` : first
  return second === 'dist' || first.startsWith('@')
    ? [first, second, third].filter(Boolean).join('/')
    : first
}

const toLocation = (url: string) =>
  url.replace(/^.*\/(node_modules|packages)\//, '').replace(/^file:\/\//, '')
