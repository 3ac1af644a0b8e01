// Opens workbooks: XLSX (ECMA-376, SpreadsheetML) and ODS (OpenDocument). Formulas count with their
// stored values.
import { UnreadableFile } from '../blocks.ts'
import { toPackage } from '../office/office-package.ts'
import { openZip } from '../office/zip-archive.ts'
import { openOds } from './ods.ts'
import { remedy, type Sheet } from './sheets.ts'
import { openXlsx } from './xlsx-workbook.ts'

/** Throws UnreadableFile. */
export async function openWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  rejectOldFormat(bytes)
  const zip = await openZip(bytes)
  if (zip.has('content.xml')) return openOds(zip)
  if (zip.has('xl/workbook.bin'))
    throw new UnreadableFile(`This is a binary workbook (.xlsb)${remedy}`)
  if (zip.paths.some((path) => /\.iwa$/i.test(path)))
    throw new UnreadableFile(`This is a Numbers document${remedy}`)
  if (!zip.has('_rels/.rels') && !zip.has('xl/workbook.xml'))
    throw new UnreadableFile(`This zip is no workbook${remedy}`)
  return openXlsx(await toPackage(zip))
}

/** Compound files are workbooks of Excel 97 to 2003, or encrypted ones. */
function rejectOldFormat(bytes: Uint8Array): void {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!content.subarray(0, 4).equals(compoundStart)) return
  if (content.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    throw new UnreadableFile(
      'The workbook is protected by a password: save it without one',
    )
  throw new UnreadableFile(`This is a workbook of Excel 97 to 2003 (.xls)${remedy}`)
}

const compoundStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
