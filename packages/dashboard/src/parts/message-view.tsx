// A message as the chat page shows it.
import 'page/message.css'
import { Button } from '@mantine/core'
import { showButtonOf, showChoiceOf, viewOf } from 'page/message-view.js'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { beginningOf, isLong } from './long-text.tsx'
import classes from './message-view.module.css'

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

export function MessageView({ payload, isOwn, isAtEnd = isOwn, answer, send }: MessageViewProps) {
  const bubble = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const text = textOf(payload)
  const isShort = isOpen || !isLong(text)
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const shown = isShort ? payload : { type: 'text', text: beginningOf(text) }
    const view = viewOf(shown, { own: isOwn, send: (answer) => latest.current?.(answer) })
    if (answer && !showChoiceOf(view, answer)) showButtonOf(view, answer)
    if (!latest.current)
      for (const button of view.querySelectorAll<HTMLButtonElement | HTMLSelectElement>(
        'button, select',
      ))
        button.disabled = true
    bubble.current!.replaceChildren(view)
  }, [payload, text, isShort, isOwn, answer])
  return (
    <div className={`${classes.look} message ${isAtEnd ? 'own' : 'theirs'}`}>
      <div ref={bubble} className="bubble foreign" />
      {!isShort && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setOpen(true)}>
          {texts.common.showAll(text.length)}
        </Button>
      )}
    </div>
  )
}

/** The text of a message of text; empty for others. */
export function textOf(payload: unknown): string {
  const { type, ...content } = (payload ?? {}) as Record<string, unknown>
  const text = type === 'text' || type === 'markdown' ? content[type] : ''
  return typeof text === 'string' ? text : ''
}
