// The import of a folder into a knowledge base in Chromium: its duration, and how the page reacts
// meanwhile. The server is killed in the middle and starts again.
/// <reference lib="dom" />
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { type RunningServer, startServer } from '../botstead-server.ts'
import { digits, note, printTable, progress, spread } from '../report.ts'
import { openChromium, signIn } from './dashboard.ts'
import { frames, shownFrames } from './dashboard-frames.ts'

interface ImportPlan {
  files: number
}

interface Counts {
  uploaded: number
  searchable: number
}

/** Share of the files that are uploaded when the server is killed. */
const killedAt = 0.4
const maxMs = 1_800_000

export async function measureFolderImport({ files }: ImportPlan) {
  const browser = await openChromium()
  if (!browser)
    return note('The import of a folder is not measured: Chromium is not installed.')
  const folder = await mkdtemp(join(tmpdir(), 'botstead-folder-import-'))
  let server = await startServer(join(folder, 'data'))
  try {
    await fill(join(folder, 'handbook'), files)
    const alone = await chooseAlone(browser, join(folder, 'handbook'))
    const state = await signIn(server, browser, join(folder, 'data'))
    const page = await (await browser.newContext({ storageState: state })).newPage()
    const { url, workspaceId, botId } = server.credentials
    await page.goto(`${url}/w/${workspaceId}/bots/${botId}/knowledge`)
    progress(`uploading ${files} files`)
    const measured = { uploadedMs: 0, searchableMs: 0, restartMs: 0, killedAfter: 0 }
    const changes: number[] = []
    const shown = await frames(page, async () => {
      const from = performance.now()
      await choose(page, join(folder, 'handbook'))
      const isLeft = () => measured.searchableMs === 0
      const visiting = visitPages(page, changes, isLeft)
      while (isLeft()) {
        if (performance.now() - from > maxMs) throw new Error('The import did not end')
        await pause(500)
        const { uploaded, searchable } = await readCounts(server)
        progress(`${uploaded} files are uploaded, ${searchable} searchable`)
        if (measured.killedAfter === 0 && uploaded >= files * killedAt) {
          measured.killedAfter = uploaded
          const at = performance.now()
          server = await restart(server, join(folder, 'data'))
          measured.restartMs = performance.now() - at
        }
        if (measured.uploadedMs === 0 && uploaded >= files)
          measured.uploadedMs = performance.now() - from
        if (searchable >= files) measured.searchableMs = performance.now() - from
      }
      await visiting
    })
    printImport({ files, measured, changes, shown, alone })
  } finally {
    await browser.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface MeasuredImport {
  files: number
  measured: {
    uploadedMs: number
    searchableMs: number
    restartMs: number
    killedAfter: number
  }
  changes: number[]
  shown: Awaited<ReturnType<typeof frames>>
  alone: number
}

function printImport({ files, measured, changes, shown, alone }: MeasuredImport) {
  printTable(
    `Dashboard: an import of ${files} files, with a kill of the server after ${measured.killedAfter}`,
    [
      'served again, s',
      'all uploaded, s',
      'all searchable, s',
      'change of the page, ms',
      'between frames, median',
      'p95',
      'longest task, ms',
      'of the browser alone, ms',
    ],
    [
      [
        ...[measured.restartMs, measured.uploadedMs, measured.searchableMs].map((ms) =>
          digits(ms / 1_000),
        ),
        spread(changes),
        ...shownFrames(shown),
        digits(shown.longestTask),
        digits(alone),
      ],
    ],
    [
      `The page changed ${changes.length} times, while the server responded.`,
      'The browser alone: the longest task of an empty page that gets the folder.',
    ],
  )
}

async function fill(folder: string, files: number) {
  for (let n = 0; n < files; n++) {
    const chapter = join(folder, `chapter ${Math.floor(n / 100)}`)
    if (n % 100 === 0) await mkdir(chapter, { recursive: true })
    await writeFile(
      join(chapter, `${n}.md`),
      `# Article ${n}\n\nItem ${n} costs ${n * 7} euros.\n`,
    )
  }
}

/** Returns the longest task of a page that only gets the folder: the floor. In milliseconds. */
async function chooseAlone(browser: Browser, folder: string): Promise<number> {
  const page = await browser.newPage()
  await page.setContent(
    '<input type="file" webkitdirectory onchange="this.files.length">',
  )
  const { longestTask } = await frames(page, async () => {
    await page.locator('input').setInputFiles(folder)
    await page.waitForFunction(() => document.querySelector('input')!.files!.length > 0)
  })
  await page.close()
  return longestTask
}

async function choose(page: Page, folder: string) {
  await page.getByRole('button', { name: 'Add files' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[webkitdirectory]').setInputFiles(folder)
  await dialog.getByRole('button', { name: 'Upload' }).click({ timeout: 120_000 })
  await dialog.waitFor({ state: 'detached', timeout: 120_000 })
}

/** Opens another page and returns, and measures the time until its heading is visible. */
async function visitPages(page: Page, changes: number[], isLeft: () => boolean) {
  for (let name = 'Tables'; isLeft(); name = name === 'Tables' ? 'Knowledge' : 'Tables') {
    const from = performance.now()
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    changes.push(performance.now() - from)
    await pause(2_000)
  }
}

async function readCounts({ credentials, http }: RunningServer): Promise<Counts> {
  const { token, workspaceId, botId } = credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': botId,
  }
  const { counts } = await http.call<{ counts: { status: string; count: number }[] }>(
    'GET',
    '/v1/platform/files/counts?isKnowledge=true',
    headers,
  )
  const sumOf = (pattern: RegExp) =>
    counts.reduce(
      (sum, { status, count }) => (pattern.test(status) ? sum + count : sum),
      0,
    )
  return {
    uploaded: sumOf(/^(upload_completed|indexing)/),
    searchable: sumOf(/indexing_completed/),
  }
}

/** Kills the server, and starts it at the same port. */
async function restart(
  { credentials, program, http }: RunningServer,
  dataFolder: string,
) {
  const exited = new Promise((resolve) => program.child.once('exit', resolve))
  program.child.kill('SIGKILL')
  await Promise.all([exited, http.close()])
  return startServer(dataFolder, [], { BOTSTEAD_PORT: new URL(credentials.url).port })
}
