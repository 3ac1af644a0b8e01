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
  Textarea,
  TextInput,
} from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { type Draft, defaults, errorsOf } from './appearance.ts'

const t = texts.chat
const optionsOf = (labels: Record<string, string>) =>
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
  const errors = errorsOf(value)
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
  errors: ReturnType<typeof errorsOf>
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
      <TextInput
        label={t.avatarUrl}
        description={t.avatarHint}
        maxLength={2_000}
        {...textField(fields, 'avatarUrl')}
      />
      <SimpleGrid type="container" cols={{ base: 1, '520px': 2 }}>
        <ColorInput
          label={t.color}
          value={value.color}
          onChange={(color) => change({ color: color || defaults.color })}
          readOnly={readOnly}
          fixOnBlur
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
        data={[{ value: '', label: t.visitorsLanguage }, ...optionsOf(t.languages)]}
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
        description={t.originsHint}
        autosize
        minRows={1}
        {...textField(fields, 'origins')}
      />
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
        data={optionsOf(labels)}
        readOnly={readOnly}
        aria-label={label}
        fullWidth
        {...rest}
      />
    </Input.Wrapper>
  )
}
