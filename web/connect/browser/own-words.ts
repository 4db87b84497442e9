import type { Page } from 'playwright-core'
import type { AppSession } from '../../../schemas/session.ts'

/** The parts of `navigator` that pages read. */
interface Told {
  readonly userAgent: string
  readonly languages: readonly string[]
  /** Only in Chromium, and only in secure contexts. */
  readonly userAgentData?: {
    readonly brands: readonly { readonly brand: string; readonly version: string }[]
    readonly mobile: boolean
    readonly platform: string
  }
}

const longest = 500

/**
 * Locale of the browser. Without one it sends no Accept-Language, while pages see the locale of
 * this process's system.
 */
export const language = 'en-US'

/** The browser's normal user agent, without the word that marks it as headless. */
export function userAgentOf(version: string): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.', 1)[0]}.0.0.0 Safari/537.36`
}

/** Makes a page's client hints match `userAgent`: Playwright leaves headless Chromium's. */
export async function saysTheSame(page: Page, userAgent: string): Promise<void> {
  const version = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  // A stored user agent may be of a browser without client hints, or of an unknown kind.
  if (version === undefined) return
  const brands = ['Chromium', 'Not_A Brand'].map((brand, at) => ({ brand, version: at === 0 ? version : '99' }))
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setUserAgentOverride', {
    userAgent,
    acceptLanguage: language,
    userAgentMetadata: {
      brands,
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      model: '',
      mobile: false,
    },
  })
}

/** What the browser sends about itself with each request. */
export async function ownWords(page: Page): Promise<Pick<AppSession, 'user_agent' | 'browser'>> {
  const { userAgent, languages, userAgentData } = await page.evaluate(() => {
    const told = navigator as unknown as Told
    const { brands = [], mobile = false, platform = '' } = told.userAgentData ?? {}
    const data = { brands: brands.map(({ brand, version }) => ({ brand, version })), mobile, platform }
    return { userAgent: told.userAgent, languages: [...told.languages], userAgentData: platform === '' ? null : data }
  })
  const words = {
    'accept-language': languages.map((one, at) => (at === 0 ? one : `${one};q=${Math.max(10 - at, 1) / 10}`)).join(','),
    ...(userAgentData && {
      'sec-ch-ua': userAgentData.brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', '),
      'sec-ch-ua-mobile': userAgentData.mobile ? '?1' : '?0',
      'sec-ch-ua-platform': `"${userAgentData.platform}"`,
    }),
  }
  const browser = Object.fromEntries(Object.entries(words).filter(([, said]) => isSendable(said)))
  return { user_agent: isSendable(userAgent) ? userAgent : null, browser }
}

/** Pages can overwrite `navigator`, so values are checked before they become headers. */
function isSendable(said: string): boolean {
  return typeof said === 'string' && /^[\u0020-\u007e]+$/.test(said) && said.length <= longest
}
