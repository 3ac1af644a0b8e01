// Compares the text that Botstead reads from files with the text that other programs read from them, word by
// word: pdftotext for PDF, LibreOffice for office files, pandoc for the rest (Debian: poppler-utils,
// libreoffice, pandoc). If a program is missing, its files are left out.
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { detectFormat, openExtraction } from '@botstead/extraction'
import { median, note, printTable, progress } from '../report.ts'

const run = promisify(execFile)
const limits = { timeout: 120_000, maxBuffer: 256 * 1_048_576 }

interface Compared {
  file: string
  type: string
  /** Words that the other program reads. */
  words: number
  /** Share of these words that Botstead reads, too, from 0 to 1. */
  share: number
  /** Why Botstead reads nothing. */
  reason?: string
}

/** Prints a table for the files of a folder, subfolders included. */
export async function measureReaders(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'botstead-readers-'))
  const extraction = openExtraction()
  const results: Compared[] = []
  try {
    const files = await listFiles(folder)
    for (const [at, file] of files.entries()) {
      if (at % 20 === 0) progress(`reading ${at} of ${files.length} files`)
      const result = await compare(extraction, file, work)
      if (result) results.push(result)
    }
  } finally {
    await extraction.close()
    await rm(work, { recursive: true, force: true })
  }
  await report(folder, results)
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function report(folder: string, results: Compared[]): Promise<void> {
  const types = [...new Set(results.map(({ type }) => type))].sort()
  const row = (name: string, ones: Compared[]) => {
    const shares = ones.map(({ share }) => share)
    const count = (least: number) => shares.filter((share) => share >= least).length
    const percent = ((100 * count(0.95)) / ones.length).toFixed(1)
    const refused = ones.filter(({ reason }) => reason !== undefined).length
    const most = `${count(0.95)} (${percent} %)`
    return [name, ones.length, most, count(0.7), refused, median(shares).toFixed(3)]
  }
  printTable(
    `Words that are read, of those that other programs read (${folder})`,
    [
      'type',
      'files with words',
      '≥ 95 % of the words',
      '≥ 70 %',
      'refused',
      'median share',
    ],
    [
      ...types.map((type) =>
        row(
          type,
          results.filter((one) => one.type === type),
        ),
      ),
      row('all', results),
    ],
  )
  const path = join(tmpdir(), 'botstead-readers.json')
  const lowest = [...results].sort((a, b) => a.share - b.share)
  await writeFile(path, JSON.stringify(lowest, null, 2))
  note(`Each file, the lowest share first: ${path}`)
}

async function compare(
  extraction: ReturnType<typeof openExtraction>,
  file: string,
  work: string,
): Promise<Compared | null> {
  const type = extname(file).slice(1).toLowerCase()
  const other = await readOther(type, file, work)
  const words = countWords(other ?? '')
  const total = [...words.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  try {
    const own = countWords(await readOwn(extraction, file))
    const shared = [...words].reduce(
      (sum, [word, count]) => sum + Math.min(count, own.get(word) ?? 0),
      0,
    )
    return { file, type, words: total, share: shared / total }
  } catch (error) {
    return { file, type, words: total, share: 0, reason: (error as Error).message }
  }
}

async function readOwn(
  extraction: ReturnType<typeof openExtraction>,
  file: string,
): Promise<string> {
  const format = detectFormat('application/octet-stream', basename(file))
  if (!format) throw new Error('the type is not read')
  const { size } = await stat(file)
  const request = { format, size, title: '', configuration: null }
  const { passages } = await extraction.extract(request, createReadStream(file))
  return passages
    .map(({ content, headings }) => [...headings, content].join('\n'))
    .join('\n')
}

/** Returns null if the program is missing or cannot read the file. */
async function readOther(
  type: string,
  file: string,
  work: string,
): Promise<string | null> {
  try {
    if (type === 'pdf') return await readPdf(file)
    if (/^(?:pptx|odp)$/.test(type))
      return await readPdf(await convert(file, 'pdf', work))
    if (/^(?:xlsx|ods)$/.test(type)) return await readSheets(file, work)
    if (/^(?:docx|odt|rtf)$/.test(type))
      return await readFile(await convert(file, 'txt:Text (encoded):UTF8', work), 'utf8')
    return (await run('pandoc', [file, '-t', 'plain', '--wrap=none'], limits)).stdout
  } catch {
    return null
  }
}

const readPdf = async (file: string) =>
  (await run('pdftotext', [file, '-'], limits)).stdout

/** Returns the path of the converted file. */
async function convert(file: string, to: string, work: string): Promise<string> {
  const profile = `-env:UserInstallation=file://${work}/profile`
  await run(
    'soffice',
    [profile, '--headless', '--convert-to', to, '--outdir', work, file],
    limits,
  )
  return join(work, `${basename(file, extname(file))}.${to.split(':')[0]}`)
}

/** All sheets, as shown. */
async function readSheets(file: string, work: string): Promise<string> {
  const filter =
    'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1'
  await convert(file, filter, work)
  const start = `${basename(file, extname(file))}-`
  const sheets = (await readdir(work)).filter((name) => name.startsWith(start))
  const texts = await Promise.all(
    sheets.map((name) => readFile(join(work, name), 'utf8')),
  )
  await Promise.all(sheets.map((name) => rm(join(work, name))))
  return texts.join('\n')
}

/** Words of letters and digits; a word that is cut at the end of a line is whole. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const whole = text.normalize('NFKC').replaceAll(/\u00ad|(?<=\p{L})-\n(?=\p{Ll})/gu, '')
  for (const [word] of whole.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
