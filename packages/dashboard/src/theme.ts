// The colours of the chat page as a Mantine theme: paper, ink and pine green.
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
} from '@mantine/core'
import { language } from './texts/in-language.ts'
import { texts } from './texts/texts.ts'

const pine: MantineColorsTuple = [
  '#eaf5f0',
  '#d3e7de',
  '#a6d0bf',
  '#76b79e',
  '#4f9f82',
  '#2f7f64',
  '#256b54',
  '#1f5c4a',
  '#184a3b',
  '#10362b',
]

/** Greys with the warmth of the ground. */
const paper: MantineColorsTuple = [
  '#fbf8f1',
  '#f0ebe0',
  '#e6dfd1',
  '#ddd5c5',
  '#cfc5b2',
  '#b3a995',
  '#8a8375',
  '#5a665f',
  '#39443e',
  '#1c2a25',
]

/** Dark surfaces, from text (0) to the ground (9). */
const night: MantineColorsTuple = [
  '#e7ede9',
  '#cfd9d3',
  '#a3b1a9',
  '#8a9a91',
  '#304039',
  '#26332d',
  '#1a2521',
  '#141d19',
  '#0f1714',
  '#0a100d',
]

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray: paper, dark: night },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    NumberInput: {
      defaultProps: { decimalSeparator: (0.5).toLocaleString(language)[1] },
    },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': texts.common.showPassword },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, withinPortal: false } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': texts.common.close },
      },
    },
    // The placeholder is no menu item, and assistive technology expects only those in a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': texts.common.close } } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': texts.common.close } },
    },
    // The header of a dialog is not that of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--lamp': '#b86e12' },
  light: {
    '--mantine-color-body': '#f3efe6',
    '--mantine-color-text': '#1c2a25',
    '--mantine-color-dimmed': '#56625b',
    '--mantine-color-default': '#fffdf9',
    '--mantine-color-default-hover': '#f7f3ea',
    '--mantine-color-default-border': '#ddd5c5',
    '--mantine-color-placeholder': '#6b756f',
    '--mantine-color-error': '#a8321f',
    '--mantine-color-anchor': '#1b5f85',
    '--surface': '#fffdf9',
    '--soft': '#ece6d9',
    '--good': '#2c7a55',
    '--bad': '#a8321f',
    '--chart': '#1f5c4a',
    '--chart-other': '#4f9f82',
  },
  dark: {
    '--mantine-color-body': '#0f1714',
    '--mantine-color-text': '#e7ede9',
    '--mantine-color-dimmed': '#a3b1a9',
    '--mantine-color-default': '#1a2521',
    '--mantine-color-default-hover': '#22302a',
    '--mantine-color-default-border': '#304039',
    '--mantine-color-placeholder': '#8a9a91',
    '--mantine-color-error': '#ff9c86',
    '--mantine-color-anchor': '#8cc8ea',
    '--surface': '#1a2521',
    '--soft': '#22302a',
    '--good': '#67c495',
    '--bad': '#ff9c86',
    '--chart': '#a6d0bf',
    '--chart-other': '#2f7f64',
    '--lamp': '#f0b45c',
  },
})
