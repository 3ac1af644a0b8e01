// Presentations (ECMA-376, PresentationML): each slide is a page with a title, followed by its
// notes.
import type { Block } from './blocks.ts'
import { byNumber, openParts, readXml } from './office-zip.ts'

export function* pptxBlocks(bytes: Uint8Array): Generator<Block> {
  const parts = openParts(bytes, /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/)
  const slides = [...parts.keys()].filter((name) => name.startsWith('ppt/slides/')).sort(byNumber)
  for (const [at, name] of slides.entries()) {
    const page = at + 1
    yield* shapesOf(parts.get(name)!, page)
    const notes = parts.get(name.replace('slides/slide', 'notesSlides/notesSlide'))
    if (notes) for (const block of shapesOf(notes, page)) if (block.kind !== 'heading') yield block
  }
}

function shapesOf(xml: string, page: number): Block[] {
  const headings: Block[] = []
  const bodies: Block[] = []
  let placeholder = ''
  let lines: string[] = []
  let line = ''
  let reading = false
  const endShape = () => {
    const text = lines.join('\n').trim()
    lines = []
    if (text === '' || placeholder === 'sldNum') return
    if (/^(?:title|ctrTitle)$/.test(placeholder))
      headings.push({ kind: 'heading', level: 1, text: text.replaceAll('\n', ' '), page })
    else bodies.push({ kind: text.includes('\n') ? 'list' : 'paragraph', text, page })
  }
  readXml(xml, {
    open(tag, { type = '' }) {
      if (tag === 'sp' || tag === 'graphicFrame') placeholder = ''
      else if (tag === 'ph') placeholder = type
      else if (tag === 't') reading = true
      else if (tag === 'br') line += ' '
    },
    text(content) {
      if (reading) line += content
    },
    close(tag) {
      if (tag === 't') reading = false
      else if (tag === 'p') {
        if (line.trim() !== '') lines.push(line.trim())
        line = ''
      } else if (tag === 'sp' || tag === 'graphicFrame') endShape()
    },
  })
  return [...headings, ...bodies]
}
