#!/bin/bash
set -e
TOKEN=abcdefgh12345678
BASE="http://localhost:8080"

# Who am I?
curl -sS -H "Authorization: Bearer $TOKEN" "$BASE/me" | jq .
curl -X DELETE -u admin:hunter2222 $BASE/items/7 --retry 3
curl $BASE/search -G --data-urlencode 'q=a b&c' -d page=2
curl -F 'name=x' -F 'photo=@me.png' $BASE/upload
curl -T report.csv $BASE/reports/1
curl --json '{"id":1}' "$BASE/items" -L
curl -I $BASE/health -k
