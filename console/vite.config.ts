// The build of the console: static files below /console/, with content hashes in their names.

import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy of the pages allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8084',
      '/ws': { target: 'ws://127.0.0.1:8084', ws: true },
    },
  },
})
