// A message as the chat page shows it.
import 'page/message.css'
import { viewOf } from 'page/message-view.js'
import { useEffect, useRef } from 'react'
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
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const view = viewOf(payload, { own: isOwn, send: (answer) => latest.current?.(answer) })
    if (!latest.current)
      for (const button of view.querySelectorAll('button')) button.disabled = true
    bubble.current!.replaceChildren(view)
  }, [payload, isOwn])
  return (
    <div className={`${classes.look} message ${isOwn ? 'own' : 'theirs'}`}>
      <div ref={bubble} className="bubble foreign" />
    </div>
  )
}
