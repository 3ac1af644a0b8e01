// CodeMirror for JSON.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { nonce } from '../../page-values.ts'

interface JsonEditorProps {
  label: string
  text: string
  onChange: ((text: string) => void) | undefined
  maxHeight: number
}

export function JsonEditor({ label, text, onChange, maxHeight }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | null>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const isEditable = onChange !== undefined
  const scheme = useComputedColorScheme('light')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed text is set below
  useEffect(() => {
    const state = EditorState.create({
      doc: text,
      extensions: [
        extensions(label, isEditable, scheme === 'dark'),
        EditorView.updateListener.of(
          ({ docChanged, state }) =>
            docChanged && changed.current?.(state.doc.toString()),
        ),
      ],
    })
    editor.current = new EditorView({ state, parent: place.current! })
    return () => editor.current?.destroy()
  }, [label, isEditable, scheme])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === text) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }, [text])

  return (
    <div
      ref={place}
      className="panel"
      style={{ maxHeight, overflow: 'auto', overflowX: 'auto' }}
    />
  )
}

const darkColours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: '#8cc8ea' },
  { tag: tags.string, color: '#67c495' },
  { tag: [tags.number, tags.bool, tags.null], color: '#f0b45c' },
])

const extensions = (label: string, isEditable: boolean, isDark: boolean): Extension[] => [
  EditorView.cspNonce.of(nonce),
  lineNumbers(),
  foldGutter(),
  json(),
  syntaxHighlighting(isDark ? darkColours : defaultHighlightStyle),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
  EditorView.theme(
    {
      '&': { fontSize: '13px', background: 'transparent' },
      '.cm-gutters': { background: 'transparent', border: 'none' },
    },
    { dark: isDark },
  ),
  keymap.of([...defaultKeymap, ...foldKeymap]),
  ...(isEditable
    ? [history(), keymap.of(historyKeymap), bracketMatching(), linter(jsonParseLinter())]
    : [EditorState.readOnly.of(true)]),
]
