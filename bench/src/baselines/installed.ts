// Installs packages that the project does not depend on into a temporary folder. The caller deletes
// the folder.
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { progress } from '../report.ts'

export async function installForRun(packages: string[]): Promise<string> {
  progress(`installing ${packages.join(' and ')} for this run`)
  const folder = await mkdtemp(join(tmpdir(), 'botstead-installed-'))
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  await promisify(execFile)(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages],
    {
      cwd: folder,
    },
  )
  return folder
}
