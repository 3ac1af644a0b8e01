// A message as the chat page shows it.
import 'page/message.css'
import { Button } from '@mantine/core'
import { viewOf } from 'page/message-view.js'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { beginningOf, isLong } from './long-text.tsx'
import classes from './message-view.module.css'

interface MessageViewProps {
  payload: unknown
  /** Sent by the user, not by the bot. */
  isOwn: boolean
  /** Sends the payload of a button. Without it, buttons do nothing, as in a transcript. */
  send?: ((payload: Record<string, unknown>) => void) | undefined
}

export function MessageView({ payload, isOwn, send }: MessageViewProps) {
  const bubble = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const text = textOf(payload)
  const isShort = isOpen || !isLong(text)
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const shown = isShort ? payload : { type: 'text', text: beginningOf(text) }
    const view = viewOf(shown, { own: isOwn, send: (answer) => latest.current?.(answer) })
    if (!latest.current)
      for (const button of view.querySelectorAll('button')) button.disabled = true
    bubble.current!.replaceChildren(view)
  }, [payload, text, isShort, isOwn])
  return (
    <div className={`${classes.look} message ${isOwn ? 'own' : 'theirs'}`}>
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
function textOf(payload: unknown): string {
  const { type, ...content } = (payload ?? {}) as Record<string, unknown>
  const text = type === 'text' || type === 'markdown' ? content[type] : ''
  return typeof text === 'string' ? text : ''
}
