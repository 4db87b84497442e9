import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const { resolve } = createRequire(import.meta.url)
const folderOf = (name: string): string => path.dirname(resolve(`${name}/package.json`))

/**
 * Writes a fontconfig file into `dir` and returns its path: text in the letters of an Android phone, the rest in DejaVu, whatever fonts the
 * machine has. Drawn without hints and in greys only, which no screen's settings change.
 */
export function writeFontConfig(dir: string): string {
  const [roboto, dejavu] = [folderOf('@expo-google-fonts/roboto'), path.join(folderOf('dejavu-fonts-ttf'), 'ttf')]
  const weights = ['400Regular', '400Regular_Italic', '500Medium', '600SemiBold', '700Bold']
  const file = path.join(dir, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<fontconfig>
  ${weights.map((weight) => `<dir>${roboto}/${weight}</dir>`).join('\n  ')}
  <dir>${dejavu}</dir>
  <cachedir>${path.join(dir, 'fonts')}</cachedir>
  ${['sans-serif', 'system-ui'].map((name) => aliasOf(name, 'Roboto')).join('\n  ')}
  ${aliasOf('monospace', 'DejaVu Sans Mono')}
  ${aliasOf('serif', 'DejaVu Serif')}
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
    <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
  </match>
</fontconfig>
`,
  )
  return file
}

function aliasOf(name: string, font: string): string {
  return `<alias binding="strong"><family>${name}</family><prefer><family>${font}</family><family>DejaVu Sans</family></prefer></alias>`
}
