// A condition: in words if it is one that wizards write, with its code as the other view.
import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../texts/texts.ts'
import { describeCondition } from '../flows/conditions-in-words.ts'
import { type FieldProps, toText, toValue } from './field-props.ts'
import { labels } from './labels.tsx'

const t = texts.studio

/** Typing never replaces the field of code, even if the code becomes a condition that a wizard could write. */
export function ExpressionField(props: FieldProps) {
  const words = describeCondition(toText(props.value))
  const [isCode, setCode] = useState(words === null)
  return (
    <div>
      {isCode || words === null ? (
        <CodeOfCondition {...props} />
      ) : (
        <Textarea
          {...labels(props)}
          autosize
          readOnly
          value={words}
          className="foreign"
        />
      )}
      {words !== null && (
        <Button
          mt={4}
          size="compact-xs"
          variant="subtle"
          onClick={() => setCode(!isCode)}
        >
          {isCode ? t.inWords : t.asCode}
        </Button>
      )}
    </div>
  )
}

const CodeOfCondition = (props: FieldProps) => (
  <TextInput
    {...labels(props)}
    ff="monospace"
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    value={toText(props.value)}
    onChange={(event) => props.onChange(toValue(event.currentTarget.value, props.field))}
  />
)
