import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { iconStyles } from './icons-of-set.ts'
import { startBrowser } from './real-apps/browser.ts'
import { root } from './supervisor/settings.ts'

/**
 * `npm run icons`: renders web/assets/icon.svg to the PNGs that devices request, and writes the
 * icon stylesheet. The ground fills the square, with the gate inside the safe zone of maskable
 * icons; the badge is the gate alone, as phones use its outline.
 */
const pictures = [
  { file: 'icon-192.png', size: 192, badge: false },
  { file: 'icon-512.png', size: 512, badge: false },
  { file: 'icon-180.png', size: 180, badge: false },
  { file: 'badge-96.png', size: 96, badge: true },
] as const

const assets = path.join(root, 'web/assets')
await writeFile(path.join(assets, 'style/icons.css'), iconStyles())
const svg = await readFile(path.join(assets, 'icon.svg'), 'utf8')
const dir = await mkdtemp(path.join(tmpdir(), 'callgate-icons-'))
try {
  const browser = await startBrowser(dir)
  const page = await browser.newPage()
  for (const { file, size, badge } of pictures) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
    if (badge) await page.addStyleTag({ content: '#ground{display:none}#gate{transform:translate(0,0)}' })
    await writeFile(path.join(assets, file), await page.screenshot({ omitBackground: true }))
  }
  await browser.close()
} finally {
  await rm(dir, { recursive: true, force: true })
}
