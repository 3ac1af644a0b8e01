// The texts of charts and diagrams, which documents and slides keep in separate parts.
import { oneLine } from '../blocks.ts'
import type { OfficePackage } from './office-package.ts'
import { readXml } from './office-xml.ts'

/** Returns lines of text by the ids of the part's relationships. Throws UnreadableFile. */
export async function readDrawings(
  office: OfficePackage,
  path: string,
): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>()
  for (const { id, type, target, isExternal } of await office.relations(path))
    if (/^(?:chart|chartEx|diagramData)$/.test(type) && !isExternal)
      lines.set(id, toLines(await office.text(target)))
  return lines
}

/** Paragraphs of text, and the names of series and categories. */
function toLines(xml: string): string[] {
  const lines: string[] = []
  let line = ''
  let isReading = false
  /** Depth of the texts of a chart's data; numbers are in other elements. */
  let isInNames = false
  readXml(xml, {
    open(tag) {
      if (tag === 'strCache') isInNames = true
      isReading = tag === 't' || (tag === 'v' && isInNames)
    },
    text(content) {
      if (isReading) line += content
    },
    close(tag) {
      isReading = false
      if (tag === 'strCache') isInNames = false
      if (tag !== 'p' && tag !== 'v' && tag !== 'strCache') return
      if (oneLine(line) !== '') lines.push(oneLine(line))
      line = ''
    },
  })
  return [...new Set(lines)]
}
