-- Looks up one record, another one each time: lookup.lua <target> <number of records>
-- Records are named r0, r1, …
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    local target, count = args[1], tonumber(args[2])
    math.randomseed(os.time())
    wrk.method = "POST"
    request = function()
        local body = '{"zoneID":{"zoneName":"Many"},"records":[{"recordName":"r' .. math.random(0, count - 1) .. '"}]}'
        return wrk.format(nil, target, nil, body)
    end
end
