// A button at a text: inserts a variable, which people know by its name and by how long the bot remembers it.
import { Button, Menu } from '@mantine/core'
import { Fragment, type RefObject } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { listReadable } from '../flows/bot-document.ts'
import { type FieldProps, toText } from './field-props.ts'

const t = texts.studio

interface InsertAnswerProps {
  props: FieldProps
  area: RefObject<HTMLTextAreaElement | null>
  write: (text: string) => void
}

export function InsertAnswer({ props, area, write }: InsertAnswerProps) {
  const { value: document } = useStudio()
  if (props.isReadOnly) return null
  const insert = (name: string) => {
    const field = area.current!
    const text = toText(props.value)
    // The caret of a field that never had the focus is before its text.
    const caret = field.dataset.visited ? field.selectionStart : text.length
    const before = `${text.slice(0, caret)}{{ ${name} }}`
    write(before + text.slice(caret))
    // After the menu, which has the focus until then.
    setTimeout(() => {
      field.focus()
      field.setSelectionRange(before.length, before.length)
    })
  }
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button
          mt={4}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          aria-label={t.insertInto(props.field.title)}
        >
          {t.insertAnswer}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {[...groupByScope(listReadable(document, props.flow))].map(([scope, names]) => (
          <Fragment key={scope}>
            <Menu.Label>{t.variableScopes[scope] ?? scope}</Menu.Label>
            {names.map((name) => (
              <Menu.Item key={name} onClick={() => insert(name)} className="foreign">
                {name === 'event.preview' ? t.lastMessage : name.slice(scope.length + 1)}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function groupByScope(names: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const scope = name.slice(0, name.indexOf('.'))
    const known = groups.get(scope)
    if (known) known.push(name)
    else groups.set(scope, [name])
  }
  return groups
}

/** Marks a text of which the caret is known. */
export const noteVisit = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
  currentTarget.dataset.visited = 'true'
}
