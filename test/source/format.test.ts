import { testScript } from './script.ts'

testScript('format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings')
