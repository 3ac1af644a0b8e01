// Keys of the canvas and of the list of a flow: arrows move between nodes and cards, Enter opens the form.
import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { readCopied } from '../flows/commands.ts'
import { type FlowEditor, useFlowEditor } from '../flows/flow-editor.tsx'
import type { Graph } from '../flows/flow-graph.ts'

interface Focused {
  node: string
  card: number | undefined
}

/** Returns the node or card that has the focus. */
function toFocused(target: EventTarget): Focused | null {
  const element = target as HTMLElement
  const node = element.closest<HTMLElement>('[data-node]')?.dataset.node
  const card = element.closest<HTMLElement>('[data-card]')?.dataset.card
  if (node === undefined) return null
  return { node, card: card === undefined ? undefined : Number(card) }
}

const listFollowing = ({ flow, nodes }: Graph, name: string) =>
  nodes
    .filter((node) => node.name === name)
    .flatMap(({ rows }) => rows.flatMap(({ exits }) => exits))
    .flatMap(({ target }) => (target?.flow === flow && target.node ? [target.node] : []))

const listLeading = (graph: Graph, name: string) =>
  graph.nodes.flatMap((node) =>
    listFollowing(graph, node.name).includes(name) ? [node.name] : [],
  )

interface KeysOptions {
  area: RefObject<HTMLElement | null>
  graph: Graph
  /** Makes the node visible before it gets the focus. */
  reveal: (node: string) => void
}

export function useFlowKeys({ area, graph, reveal }: KeysOptions) {
  const editor = useFlowEditor()
  useClipboard(area, editor)
  const focus = (node: string | undefined, card?: number) => {
    if (node === undefined) return
    reveal(node)
    requestAnimationFrame(() => {
      const element = area.current?.querySelector<HTMLElement>(
        `[data-node="${CSS.escape(node)}"]`,
      )
      const inside =
        card === undefined ? null : element?.querySelector(`[data-card="${card}"]`)
      ;((inside as HTMLElement | null) ?? element)?.focus({ preventScroll: true })
    })
  }
  const moveFocus = ({ node, card }: Focused, key: string): boolean => {
    const cards = graph.nodes
      .find(({ name }) => name === node)
      ?.rows.filter((row) => row.card !== undefined).length
    const isCard = card !== undefined
    if (key === 'ArrowDown') focus(node, Math.min((card ?? -1) + 1, (cards ?? 0) - 1))
    else if (key === 'ArrowUp') focus(node, card ? card - 1 : undefined)
    else if (key === 'ArrowRight') focus(listFollowing(graph, node)[0])
    else if (key === 'ArrowLeft') focus(isCard ? node : listLeading(graph, node)[0])
    else return false
    return true
  }
  return (event: KeyboardEvent) => {
    const focused = toFocused(event.target)
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'd' || !focused) return
      event.preventDefault()
      return editor.duplicate()
    }
    if (event.key === '/' && !focused) {
      event.preventDefault()
      return editor.openPalette({})
    }
    if (focused && act(editor, focused, event, moveFocus)) event.preventDefault()
  }
}

/** Returns whether the key has an effect. */
function act(
  editor: FlowEditor,
  focused: Focused,
  { key, altKey, target }: KeyboardEvent,
  moveFocus: (focused: Focused, key: string) => boolean,
): boolean {
  const { node, card } = focused
  const isElsewhere = (target as HTMLElement).closest('button:not([data-card])') !== null
  switch (key) {
    case 'Enter':
    case ' ':
      // Buttons have their own effect.
      if (isElsewhere) return false
      editor.select({ nodes: [node], card, isOpen: true })
      return true
    case 'Delete':
    case 'Backspace':
      editor.remove()
      return true
    case '/':
      editor.openPalette({ node, index: card === undefined ? undefined : card + 1 })
      return true
    case 'ArrowUp':
    case 'ArrowDown':
      if (altKey && card !== undefined) {
        editor.move(key === 'ArrowUp' ? -1 : 1)
        return true
      }
  }
  return moveFocus(focused, key)
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, [contenteditable]') !== null

/** The browser's own keys and menus copy and paste. Fields keep theirs. */
function useClipboard(area: RefObject<HTMLElement | null>, editor: FlowEditor) {
  useEffect(() => {
    const isOwn = ({ target }: ClipboardEvent) =>
      !isField(target) &&
      (target === document.body ||
        (target instanceof Node && area.current?.contains(target)))
    const onCopy = (event: ClipboardEvent) => {
      const copied = isOwn(event) && !getSelection()?.toString() ? editor.copy() : null
      if (!copied) return
      event.clipboardData?.setData('text/plain', JSON.stringify(copied, null, 2))
      event.preventDefault()
      if (event.type === 'cut') editor.remove()
    }
    const onPaste = (event: ClipboardEvent) => {
      const copied =
        isOwn(event) && readCopied(event.clipboardData?.getData('text/plain') ?? '')
      if (!copied) return
      event.preventDefault()
      editor.paste(copied)
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [area, editor])
}
