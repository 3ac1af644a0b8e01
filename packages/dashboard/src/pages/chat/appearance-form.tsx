import {
  Button,
  ColorInput,
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { completedOrigins, type Draft, defaults, findErrors } from './appearance.ts'

const t = texts.chat
const toOptions = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface AppearanceFormProps {
  botName: string
  value: Draft
  change: (changes: Partial<Draft>) => void
  readOnly: boolean
  isSaving: boolean
  onSubmit: () => void
}

export function AppearanceForm(props: AppearanceFormProps) {
  const { botName, value, change, readOnly, isSaving, onSubmit } = props
  const errors = findErrors(value)
  const isValid = Object.keys(errors).length === 0
  const fields = { value, change, readOnly, errors }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) onSubmit()
      }}
    >
      <Stack gap="sm">
        <Brand botName={botName} {...fields} />
        <Words {...fields} />
        <Visitors {...fields} />
        {!readOnly && (
          <Group justify="flex-end">
            <Button type="submit" loading={isSaving} disabled={!isValid}>
              {texts.common.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

interface Fields {
  value: Draft
  change: (changes: Partial<Draft>) => void
  readOnly: boolean
  errors: ReturnType<typeof findErrors>
}

/** The properties of a field for text. */
const textField = (
  { value, change, readOnly, errors }: Fields,
  name: 'name' | 'avatarUrl' | 'greeting' | 'suggestions' | 'origins',
) => ({
  value: value[name],
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
    change({ [name]: currentTarget.value }),
  error: errors[name as keyof typeof errors],
  readOnly,
})

function Brand({ botName, ...fields }: Fields & { botName: string }) {
  const { value, change, readOnly } = fields
  return (
    <>
      <TextInput
        label={t.name}
        placeholder={botName}
        maxLength={100}
        {...textField(fields, 'name')}
      />
      <Picture {...fields} />
      <SimpleGrid type="container" cols={{ base: 1, '520px': 2 }}>
        <ColorInput
          label={t.color}
          value={value.color}
          onChange={(color) => change({ color: color || defaults.color })}
          readOnly={readOnly}
          error={fields.errors.color}
          fixOnBlur={false}
          withEyeDropper={false}
        />
        <NumberInput
          label={t.radius}
          value={value.radius}
          onChange={(radius) => typeof radius === 'number' && change({ radius })}
          min={0}
          max={24}
          allowDecimal={false}
          clampBehavior="strict"
          readOnly={readOnly}
        />
        <Choice
          label={t.theme}
          labels={t.themes}
          value={value.theme}
          onChange={(theme) => change({ theme: theme as Draft['theme'] })}
          readOnly={readOnly}
        />
        <Choice
          label={t.position}
          labels={t.positions}
          value={value.position}
          onChange={(position) => change({ position: position as Draft['position'] })}
          readOnly={readOnly}
        />
      </SimpleGrid>
    </>
  )
}

/** The address can be saved although it has no picture yet. */
function Picture(fields: Fields) {
  const [address] = useDebouncedValue(
    fields.errors.avatarUrl ? '' : fields.value.avatarUrl,
    500,
  )
  const [broken, setBroken] = useState('')
  useEffect(() => {
    if (address === '') return
    const image = new Image()
    image.referrerPolicy = 'no-referrer'
    image.onerror = () => setBroken(address)
    image.src = address
    return () => {
      image.onerror = null
    }
  }, [address])
  const { error, ...field } = textField(fields, 'avatarUrl')
  const isBroken = broken !== '' && broken === field.value
  return (
    <TextInput
      label={t.avatarUrl}
      placeholder={texts.common.examples.picture}
      description={t.avatarHint}
      maxLength={2_000}
      {...field}
      error={error ?? (isBroken && t.noPicture)}
    />
  )
}

function Words(fields: Fields) {
  const { value, change, readOnly } = fields
  return (
    <>
      <Textarea
        label={t.greeting}
        description={t.greetingHint}
        autosize
        minRows={2}
        maxLength={2_000}
        {...textField(fields, 'greeting')}
      />
      <Textarea
        label={t.suggestions}
        description={t.suggestionsHint}
        autosize
        minRows={2}
        {...textField(fields, 'suggestions')}
      />
      <Select
        label={t.language}
        data={[{ value: '', label: t.visitorsLanguage }, ...toOptions(t.languages)]}
        value={value.language}
        onChange={(language) => change({ language: language ?? '' })}
        allowDeselect={false}
        readOnly={readOnly}
      />
    </>
  )
}

function Visitors(fields: Fields) {
  const { value, change, readOnly } = fields
  const completed = completedOrigins(value)
  return (
    <>
      <Switch
        label={t.uploads}
        checked={value.uploads}
        onChange={({ currentTarget }) => change({ uploads: currentTarget.checked })}
        disabled={readOnly}
      />
      <Textarea
        label={t.origins}
        placeholder={t.originsExample}
        description={t.originsHint}
        autosize
        minRows={1}
        {...textField(fields, 'origins')}
      />
      {completed.length > 0 && (
        <Text size="sm" role="status">
          {t.completedOrigins(completed)}
        </Text>
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  labels: Record<string, string>
  value: string
  onChange: (value: string) => void
  readOnly: boolean
}

function Choice({ label, labels, readOnly, ...rest }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        data={toOptions(labels)}
        readOnly={readOnly}
        aria-label={label}
        fullWidth
        {...rest}
      />
    </Input.Wrapper>
  )
}
