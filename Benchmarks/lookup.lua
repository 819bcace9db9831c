-- Looks up one record, another one each time: lookup.lua <folder of the scripts> <target> <number of records>
-- Records are named r0, r1, …
function init(args)
    dofile(args[1] .. "/result.lua")
    local target, count = args[2], tonumber(args[3])
    math.randomseed(os.time())
    wrk.method = "POST"
    request = function()
        local body = '{"zoneID":{"zoneName":"Many"},"records":[{"recordName":"r' .. math.random(0, count - 1) .. '"}]}'
        return wrk.format(nil, target, nil, body)
    end
end
