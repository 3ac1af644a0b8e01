// A message as the chat page shows it.
import 'page/message.css'
import { Button } from '@mantine/core'
import { showAnsweredChoice, showPressedButton, toView } from 'page/message-view.js'
import { setTexts } from 'page/texts.js'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { maxLength } from '../texts/long-text.tsx'
import { loadsMedia, rememberMedia } from './foreign-media.tsx'
import classes from './message-view.module.css'

setTexts(texts.messages)

interface MessageViewProps {
  payload: unknown
  /** Sent by the user, not by the bot. */
  isOwn: boolean
  /** At the end of the line; by default if `isOwn`. */
  isAtEnd?: boolean
  /** The next message if it is the user's. It marks the option or button that sent it. */
  answer?: unknown
  /** Sends the payload of a button. Without it, buttons do nothing, as in a transcript. */
  send?: ((payload: Record<string, unknown>) => void) | undefined
}

export function MessageView({
  payload,
  isOwn,
  isAtEnd = isOwn,
  answer,
  send,
}: MessageViewProps) {
  const bubble = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Of a message that is cut, all its characters; 0 for others. */
  const [length, setLength] = useState(0)
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const view = toView(payload, {
      own: isOwn,
      send: (answer) => latest.current?.(answer),
      loads: loadsMedia,
      remember: rememberMedia,
    })
    if (answer && !showAnsweredChoice(view, answer)) showPressedButton(view, answer)
    if (!latest.current)
      for (const button of view.querySelectorAll<HTMLButtonElement | HTMLSelectElement>(
        'button:not(.load), select',
      ))
        button.disabled = true
    setLength(isOpen ? 0 : cut(view))
    bubble.current!.replaceChildren(view)
  }, [payload, isOpen, isOwn, answer])
  return (
    <div className={`${classes.look} message ${isAtEnd ? 'own' : 'theirs'}`}>
      <div ref={bubble} className="bubble foreign" />
      {length > 0 && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setOpen(true)}>
          {texts.common.showAll(length)}
        </Button>
      )}
    </div>
  )
}

/** Deletes the end of a long view, elements too. Returns its former length, or 0 for a short view. */
function cut(view: Element): number {
  const length = view.textContent.length
  if (length <= maxLength) return 0
  const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT)
  let left = maxLength
  for (let node = nodes.nextNode() as Text; node; node = nodes.nextNode() as Text) {
    if (node.length > left) {
      const rest = document.createRange()
      rest.setStart(node, left)
      rest.setEnd(view, view.childNodes.length)
      rest.deleteContents()
      node.data += ' …'
      break
    }
    left -= node.length
  }
  return length
}

/** The text of a message of text; empty for others. */
export function toText(payload: unknown): string {
  const { type, ...content } = (payload ?? {}) as Record<string, unknown>
  const text = type === 'text' || type === 'markdown' ? content[type] : ''
  return typeof text === 'string' ? text : ''
}
