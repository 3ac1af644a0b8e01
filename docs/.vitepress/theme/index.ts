// VitePress' theme without its fonts, in the colours of the dashboard.
import { Content, onContentUpdated, type Theme } from 'vitepress'
import DefaultTheme, {
  VPHomeContent,
  VPHomeFeatures,
  VPHomeHero,
} from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { showServerAddress } from './server-address.ts'
import './style.css'

/** Other pages of the server have no address below the site's base. */
const toDashboard = (place: string) =>
  h('a', { class: ['to-dashboard', place], href: '/', target: '_self' }, 'Dashboard')

const icon = () =>
  h('img', { class: 'icon', src: '/favicon.svg', alt: '', width: 24, height: 24 })

/** VitePress' home page inside the landmark that it lacks. */
const Home = () =>
  h('main', [h(VPHomeHero), h(VPHomeFeatures), h(VPHomeContent, null, () => h(Content))])

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('home', Home),
  Layout: {
    setup() {
      onContentUpdated(showServerAddress)
      return () =>
        h(DefaultTheme.Layout, null, {
          'nav-bar-title-before': icon,
          'nav-bar-content-after': () => toDashboard('in-bar'),
          'nav-screen-content-after': () => toDashboard('in-screen'),
        })
    },
  },
} satisfies Theme
